import { useCallback, useRef, useState } from 'react'
import { isNative } from '../../platform/is-native.ts'
import type { Place } from '../map-defaults.ts'
import { locationStrings } from '../strings.ts'
import { setLastKnownPlace } from './last-known-place.ts'

type LocationProblem = 'unsupported' | 'insecure' | 'denied' | 'unavailable' | 'timed_out' | 'unknown'

/** Why there is no position. `message` can be shown to the user. */
export class LocationError extends Error {
  readonly problem: LocationProblem

  constructor(problem: LocationProblem) {
    super(messageOfProblem(problem))
    this.name = 'LocationError'
    this.problem = problem
  }
}

export const positionOptions: PositionOptions = { enableHighAccuracy: true, timeout: 15_000, maximumAge: 60_000 }

function messageOfProblem(problem: LocationProblem): string {
  switch (problem) {
    case 'unsupported':
      return locationStrings.unsupported
    case 'insecure':
      return `${locationStrings.failed} ${locationStrings.insecure}`
    case 'denied':
      return `${locationStrings.failed} ${locationStrings.denied}`
    case 'unavailable':
      return `${locationStrings.failed} ${locationStrings.unavailable}`
    case 'timed_out':
      return `${locationStrings.failed} ${locationStrings.timedOut}`
    case 'unknown':
      return `${locationStrings.failed} ${locationStrings.unknown}`
  }
}

/** Maps the error codes of the Geolocation API. */
function problemOf(code: number): LocationProblem {
  return ({ 1: 'denied', 2: 'unavailable', 3: 'timed_out' } as const)[code] ?? 'unknown'
}

/** Like `requestPosition`, without the accuracy. */
export async function requestPlace(geolocation?: Geolocation): Promise<Place> {
  const { latitude, longitude } = await requestPosition(geolocation)
  return { latitude, longitude }
}

/**
 * Requests the position of the device, which may ask the user for permission. `accuracyM` is the radius of its error. Throws
 * `LocationError`.
 */
export function requestPosition(
  geolocation: Geolocation | undefined = globalThis.navigator?.geolocation,
): Promise<Place & { accuracyM: number }> {
  return new Promise((resolve, reject) => {
    // Browsers refuse geolocation on pages without HTTPS, with a message that blames the user.
    if (globalThis.isSecureContext === false && !isNative()) return reject(new LocationError('insecure'))
    if (geolocation === undefined) return reject(new LocationError('unsupported'))
    geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude, accuracy: accuracyM } }) => resolve({ latitude, longitude, accuracyM }),
      ({ code }) => reject(new LocationError(problemOf(code))),
      positionOptions,
    )
  })
}

/** Returns the position of the device if the user has allowed it before. Never asks for the permission, never throws. */
export async function findPlaceWithoutAsking(): Promise<Place | null> {
  if (!(await isLocationAllowed())) return null
  try {
    const place = await requestPlace()
    setLastKnownPlace(place)
    return place
  } catch {
    return null
  }
}

export async function isLocationAllowed(): Promise<boolean> {
  try {
    return (await navigator.permissions.query({ name: 'geolocation' })).state === 'granted'
  } catch {
    return false
  }
}

/** Requests the user's position after a tap, which may ask for the permission. It stays in the memory of this tab. */
export function useLocate() {
  const [isLocating, setIsLocating] = useState(false)
  const running = useRef<Promise<Place> | null>(null)

  const locate = useCallback((): Promise<Place> => {
    if (running.current !== null) return running.current
    setIsLocating(true)
    running.current = requestPlace()
      .then((place) => {
        setLastKnownPlace(place)
        return place
      })
      .finally(() => {
        running.current = null
        setIsLocating(false)
      })
    return running.current
  }, [])

  return { isLocating, locate }
}
