import { useCallback, useRef, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { isNative } from '../../platform/is-native.ts'
import type { Place } from '../map-defaults.ts'
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

/** A position of the device. `accuracyM` is the radius of its error. */
export interface Position extends Place {
  accuracyM: number
}

/** A position with a larger error does not say where somebody is. */
const exactWithinM = 200

export function isInexact(place: Place & { accuracyM?: number | undefined }): boolean {
  return (place.accuracyM ?? 0) > exactWithinM
}

export const positionOptions: PositionOptions = { enableHighAccuracy: true, timeout: 15_000, maximumAge: 60_000 }

function messageOfProblem(problem: LocationProblem): string {
  switch (problem) {
    case 'unsupported':
      return t('map.location.unsupported')
    case 'insecure':
      return `${t('map.location.failed')} ${t('map.location.insecure')}`
    case 'denied':
      return `${t('map.location.failed')} ${t('map.location.denied')}`
    case 'unavailable':
      return `${t('map.location.failed')} ${t('map.location.unavailable')}`
    case 'timed_out':
      return `${t('map.location.failed')} ${t('map.location.timedOut')}`
    case 'unknown':
      return `${t('map.location.failed')} ${t('map.location.unknown')}`
  }
}

const halfWorldM = 20_000_000

/** Maps the error codes of the Geolocation API. */
function problemOf(code: number): LocationProblem {
  return ({ 1: 'denied', 2: 'unavailable', 3: 'timed_out' } as const)[code] ?? 'unknown'
}

/** Longer than the limit of the browser, which does not count while the user is asked for permission. */
const giveUpMs = 20_000

/**
 * Requests the position of the device, which may ask the user for permission. Throws `LocationError`, also if the browser does
 * not answer.
 */
export function requestPosition(
  geolocation: Geolocation | undefined = globalThis.navigator?.geolocation,
): Promise<Position> {
  return new Promise((resolve, reject) => {
    // Browsers refuse geolocation on pages without HTTPS, with a message that blames the user.
    if (globalThis.isSecureContext === false && !isNative()) return reject(new LocationError('insecure'))
    if (geolocation === undefined) return reject(new LocationError('unsupported'))
    const fail = (problem: LocationProblem) => {
      clearTimeout(timer)
      reject(new LocationError(problem))
    }
    const timer = setTimeout(() => fail('timed_out'), giveUpMs)
    geolocation.getCurrentPosition(
      ({ coords }) => {
        const position = positionOf(coords)
        if (position === null) return fail('unavailable')
        clearTimeout(timer)
        resolve(position)
      },
      ({ code }) => fail(problemOf(code)),
      positionOptions,
    )
  })
}

/** Returns null for coordinates that are no place on Earth, as programs that change the position report them. */
export function positionOf({ latitude, longitude, accuracy }: GeolocationCoordinates): Position | null {
  const isPlace = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
  // Without a valid error the position counts as inexact.
  return isPlace ? { latitude, longitude, accuracyM: accuracy >= 0 ? accuracy : halfWorldM } : null
}

/** Returns the position of the device if the user has allowed it before. Never asks for the permission, never throws. */
export async function findPlaceWithoutAsking(): Promise<Position | null> {
  if (!(await isLocationAllowed())) return null
  try {
    const place = await requestPosition()
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
  const running = useRef<Promise<Position> | null>(null)

  const locate = useCallback((): Promise<Position> => {
    if (running.current !== null) return running.current
    setIsLocating(true)
    running.current = requestPosition()
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
