import { afterEach, expect, test, vi } from 'vitest'
import { isInexact, LocationError, requestPosition } from './geolocation.ts'

type Failure = Parameters<NonNullable<Parameters<Geolocation['getCurrentPosition']>[1]>>[0]

function deviceThat(answers: Geolocation['getCurrentPosition']): Geolocation {
  return { getCurrentPosition: answers, watchPosition: () => 0, clearWatch: () => undefined }
}

test.each([
  [1, 'denied', 'Could not get your location. Location access was denied. Please enable location permissions.'],
  [2, 'unavailable', 'Could not get your location. Location information is unavailable.'],
  [3, 'timed_out', 'Could not get your location. Location request timed out.'],
  [99, 'unknown', 'Could not get your location. An unknown error occurred.'],
])('the error code %i is reported as %s', async (code, problem, message) => {
  const device = deviceThat((_found, failed) => failed?.({ code } as Failure))
  const error = await requestPosition(device).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(LocationError)
  expect(error).toMatchObject({ problem, message })
})

test('a browser without geolocation rejects with its reason', async () => {
  const error = await requestPosition(undefined).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ message: 'Geolocation is not supported by this browser.' })
})

test('requests a precise position with a timeout of 15 seconds and a maximum age of one minute', async () => {
  let asked: PositionOptions | undefined
  const device = deviceThat((found, _failed, options) => {
    asked = options
    found({ coords: { latitude: 40.7, longitude: -74, accuracy: 5 } } as GeolocationPosition)
  })
  expect(await requestPosition(device)).toEqual({ latitude: 40.7, longitude: -74, accuracyM: 5 })
  expect(asked).toEqual({ enableHighAccuracy: true, timeout: 15_000, maximumAge: 60_000 })
})

test.each([
  [{ latitude: Number.NaN, longitude: 0, accuracy: 5 }],
  [{ latitude: 90.1, longitude: 0, accuracy: 5 }],
  [{ latitude: 0, longitude: Number.POSITIVE_INFINITY, accuracy: 5 }],
])('the coordinates %j are no position', async (coords) => {
  const device = deviceThat((found) => found({ coords } as GeolocationPosition))
  await expect(requestPosition(device)).rejects.toMatchObject({ problem: 'unavailable' })
})

test.each([
  [200, false],
  [201, true],
  [Number.NaN, true],
])('a position with an error of %i m is inexact: %s', async (accuracy, expected) => {
  const coords = { latitude: 40.7, longitude: -74, accuracy }
  const device = deviceThat((found) => found({ coords } as GeolocationPosition))
  expect(isInexact(await requestPosition(device))).toBe(expected)
})

afterEach(() => void vi.useRealTimers())

test('a device that never answers has timed out after 20 seconds', async () => {
  vi.useFakeTimers()
  const asked = requestPosition(deviceThat(() => undefined)).catch((reason: unknown) => reason)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(await asked).toMatchObject({ problem: 'timed_out' })
})
