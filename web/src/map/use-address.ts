import { useState } from 'react'
import { useReverseAddress } from './geo.api.ts'
import { type Place } from './map-defaults.ts'

export interface ChosenAddress {
  /** As it stands in its field. */
  readonly text: string
  /** What a pin takes along; null where there is none, or none is wanted. */
  readonly address: string | null
  change(text: string): void
}

/** What is found at a place, until somebody says otherwise; another place begins anew. */
export function useAddress(place: Place | null): ChosenAddress {
  const { address: found } = useReverseAddress(place)
  const [changed, setChanged] = useState<{ at: string; text: string } | null>(null)
  const at = `${place?.latitude} ${place?.longitude}`
  const text = changed?.at === at ? changed.text : (found ?? '')
  return { text, address: text.trim() || null, change: (text) => setChanged({ at, text }) }
}
