import { useCallback, useRef, useState } from 'react'
import { isNative } from '../platform/is-native.ts'
import { type Place } from './map-defaults.ts'
import { noteOwnPlace, useKnownPlace } from './own-place.ts'
import { locationStrings } from './strings.ts'

export type LocationProblem = 'unsupported' | 'insecure' | 'denied' | 'unavailable' | 'timed_out' | 'unknown'

/** Why there is no position. `message` is fit to be shown. */
export class LocationError extends Error {
  readonly problem: LocationProblem

  constructor(problem: LocationProblem) {
    super(messageOfProblem(problem))
    this.name = 'LocationError'
    this.problem = problem
  }
}

const request: PositionOptions = { enableHighAccuracy: true, timeout: 15_000, maximumAge: 60_000 }

export function messageOfProblem(problem: LocationProblem): string {
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

/** The codes of the Geolocation API. */
export function problemOf(code: number): LocationProblem {
  return ({ 1: 'denied', 2: 'unavailable', 3: 'timed_out' } as const)[code] ?? 'unknown'
}

/** Asks the device, which may ask its user. Throws `LocationError`. */
export function requestPlace(geolocation: Geolocation | undefined = globalThis.navigator?.geolocation): Promise<Place> {
  return new Promise((resolve, reject) => {
    // Browsers refuse it on pages without https, in words that blame the user.
    if (globalThis.isSecureContext === false && !isNative()) return reject(new LocationError('insecure'))
    if (geolocation === undefined) return reject(new LocationError('unsupported'))
    geolocation.getCurrentPosition(
      ({ coords }) => resolve({ latitude: coords.latitude, longitude: coords.longitude }),
      ({ code }) => reject(new LocationError(problemOf(code))),
      request,
    )
  })
}

/** Where the user is, asked for only when they tap for it. It stays in this tab's memory. */
export function useOwnPlace() {
  const ownPlace = useKnownPlace()
  const [isLocating, setIsLocating] = useState(false)
  const running = useRef<Promise<Place> | null>(null)

  const locate = useCallback((): Promise<Place> => {
    if (running.current !== null) return running.current
    setIsLocating(true)
    running.current = requestPlace()
      .then((place) => {
        noteOwnPlace(place)
        return place
      })
      .finally(() => {
        running.current = null
        setIsLocating(false)
      })
    return running.current
  }, [])

  return { ownPlace, isLocating, locate }
}
