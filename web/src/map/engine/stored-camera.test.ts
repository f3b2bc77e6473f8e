import { beforeEach, expect, test, vi } from 'vitest'
import { zooms } from '../map-defaults.ts'
import { clearCamera, defaultCamera, readCamera, startCamera, storeCamera } from './stored-camera.ts'

const monaco = { latitude: 43.7384, longitude: 7.4246 }
const paris = { latitude: 48.8566, longitude: 2.3522, zoom: 13 }
const minuteMs = 60_000
const nowMs = 1_000 * minuteMs
let entries: Map<string, string>

beforeEach(() => {
  entries = new Map()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  })
})

test('the camera is stored for one account and removed for the others', () => {
  storeCamera('ann', paris, nowMs)
  expect(readCamera('ann')).toEqual({ ...paris, at: nowMs })
  expect(readCamera('bob')).toBeNull()
  clearCamera({ butOf: 'ann' })
  clearCamera({ of: 'bob' })
  expect(readCamera('ann')).not.toBeNull()
  clearCamera({ butOf: 'bob' })
  expect(entries.size).toBe(0)
})

test.each(['', 'null', '7', '{"user_id":"ann"}', '{"user_id":"ann","latitude":"north","longitude":1,"zoom":2,"at":3}'])(
  'a stored camera that cannot be read is ignored: %s',
  (stored) => {
    entries.set('map_camera', stored)
    expect(readCamera('ann')).toBeNull()
  },
)

test('the map opens with the recent camera, then at the position, then with the old camera, then at the default', () => {
  const position = { ...monaco, zoom: zooms.user }
  const [recent, old] = [59, 61].map((minutes) => ({ ...paris, at: nowMs - minutes * minuteMs })) as [
    typeof paris & { at: number },
    typeof paris & { at: number },
  ]
  expect(startCamera(recent, monaco, nowMs)).toEqual(paris)
  expect(startCamera(old, monaco, nowMs)).toEqual(position)
  expect(startCamera(null, monaco, nowMs)).toEqual(position)
  expect(startCamera(old, null, nowMs)).toEqual(paris)
  expect(startCamera(null, null, nowMs)).toEqual(defaultCamera)
})
