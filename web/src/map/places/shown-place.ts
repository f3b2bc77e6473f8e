import { createStore, useStore } from 'zustand'
import type { Place } from '../map-defaults.ts'

export interface NamedPlace extends Place {
  name: string | null
  address: string | null
}

/**
 * A place that Home shows with a gray marker, for example one of a message. In memory, because addresses and the history of the
 * browser must not contain coordinates.
 */
const store = createStore<{ place: NamedPlace | null }>(() => ({ place: null }))

/** Shows the place when Home is on screen; null hides it. */
export function showPlace(place: NamedPlace | null) {
  store.setState({ place })
}

export function useShownPlace(): NamedPlace | null {
  return useStore(store, ({ place }) => place)
}
