import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { addressQuery } from './geo.api.ts'
import { type Place } from './map-defaults.ts'

export interface ChosenAddress {
  /** The content of the address field. */
  readonly text: string
  /** What is sent with the pin; null if the field is empty. */
  readonly address: string | null
  /** What the last look-up at this place found. */
  readonly found: string | null
  readonly lookup: 'none' | 'loading' | 'found' | 'failed'
  change(text: string): void
  /** Sends the place to the server to look up its address. Nothing else in this dialog does. */
  find(): void
}

/** The address of a new pin: empty until the user types one or asks for it. Another place starts empty again. */
export function useAddress(place: Place | null): ChosenAddress {
  const [requestedAt, setRequestedAt] = useState<string | null>(null)
  const [changed, setChanged] = useState<{ at: string; text: string } | null>(null)
  const at = place === null ? null : `${place.latitude} ${place.longitude}`
  const isRequested = at !== null && requestedAt === at
  const { data, isFetching, isFetched, refetch } = useQuery({ ...addressQuery(place), enabled: isRequested })
  // A dialog that opens again at the same place must not look it up again by itself.
  if (at === null && (requestedAt !== null || changed !== null)) {
    setRequestedAt(null)
    setChanged(null)
  }
  const found = isRequested ? (data?.address ?? null) : null
  const text = changed !== null && changed.at === at ? changed.text : (found ?? '')

  function lookupState() {
    if (!isRequested) return 'none'
    if (isFetching) return 'loading'
    if (found !== null) return 'found'
    return isFetched ? 'failed' : 'none'
  }

  return {
    text,
    address: text.trim() || null,
    found,
    lookup: lookupState(),
    change: (text) => at !== null && setChanged({ at, text }),
    find() {
      if (isRequested) void refetch()
      setRequestedAt(at)
      setChanged(null)
    },
  }
}
