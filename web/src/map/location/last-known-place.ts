import { createStore, useStore } from 'zustand'
import { readStoredSession, subscribeToStoredSession } from '../../api/stored-session.ts'
import type { Place } from '../map-defaults.ts'
import { distanceM, distanceText } from './distance.ts'
import type { Position } from './geolocation.ts'

const lastKnown = createStore<{ place: Position | null }>(() => ({ place: null }))

let viewerId = readStoredSession().user?.id

// The next user of this device must not learn the place of the previous one.
subscribeToStoredSession(() => {
  const { user } = readStoredSession()
  if (user?.id === viewerId) return
  viewerId = user?.id
  setLastKnownPlace(null)
})

/** The user's place as the device last reported it. Stays in the memory of this tab and is never sent. */
export function useLastKnownPlace(): Position | null {
  return useStore(lastKnown, ({ place }) => place)
}

/** The distance of a place from the user: `850 m away, 14 min walk`. Null until the device has reported its place. */
export function useDistanceTo(place: Place): string | null {
  const from = useLastKnownPlace()
  return from === null ? null : distanceText(distanceM(from, place))
}

export function readLastKnownPlace(): Position | null {
  return lastKnown.getState().place
}

export function setLastKnownPlace(place: Position | null): void {
  lastKnown.setState({ place })
}
