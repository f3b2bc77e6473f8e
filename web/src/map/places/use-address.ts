import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Place } from '../map-defaults.ts'
import { addressQuery } from './geo.api.ts'

export interface ChosenAddress {
  /** The content of the address field. */
  readonly text: string
  /** What is sent with the pin: null if the user has emptied the field or the saved pin has none, undefined if it was never filled. */
  readonly address: string | null | undefined
  readonly lookup: 'none' | 'loading' | 'found' | 'failed'
  change(text: string): void
  /** Sends the place to the server to look up its address. Nothing else in this dialog does. */
  find(): void
}

/**
 * The address of a pin: empty until the user types one or asks for it, or that of the saved pin. Another place starts empty
 * again.
 */
export function useAddress(place: Place | null, saved?: Place & { address: string | null }): ChosenAddress {
  const [requestedAt, setRequestedAt] = useState<string | null>(null)
  const [changed, setChanged] = useState<{ at: string; text: string } | null>(null)
  const at = place && keyOf(place)
  const isRequested = at !== null && requestedAt === at
  const { data, isFetching, isFetched, refetch } = useQuery({ ...addressQuery(place), enabled: isRequested })
  // A dialog that opens again at the same place must not look it up again by itself.
  if (at === null && (requestedAt !== null || changed !== null)) {
    setRequestedAt(null)
    setChanged(null)
  }
  const found = isRequested ? (data?.address ?? null) : null
  const isSaved = saved !== undefined && keyOf(saved) === at && !isRequested
  const savedText = isSaved ? saved.address : null
  const text = changed !== null && changed.at === at ? changed.text : (found ?? savedText ?? '')

  function lookupState() {
    if (!isRequested) return 'none'
    if (isFetching) return 'loading'
    if (found !== null) return 'found'
    return isFetched ? 'failed' : 'none'
  }

  return {
    text,
    address: text.trim() || (isSaved || (changed !== null && changed.at === at) ? null : undefined),
    lookup: lookupState(),
    change: (text) => at !== null && setChanged({ at, text }),
    find() {
      if (isRequested) void refetch()
      setRequestedAt(at)
      setChanged(null)
    },
  }
}

function keyOf({ latitude, longitude }: Place): string {
  return `${latitude} ${longitude}`
}
