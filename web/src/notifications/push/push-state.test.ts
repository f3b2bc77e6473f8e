import type { UserId } from '@hither/contract/ids.ts'
import { expect, test } from 'vitest'
import { deviceFacts, type PushFacts, pushStateOf } from './push-state.ts'

const [ann, bob] = ['ann', 'bob'] as [UserId, UserId]
const on: PushFacts = {
  isNative: false,
  isSupported: true,
  needsInstalling: false,
  permission: 'granted',
  pushKey: 'key',
  owner: ann,
  viewerId: ann,
}

test.each([
  ['on', {}],
  ['off', { owner: null }],
  ['off', { owner: bob }],
  ['off', { permission: 'default' }],
  ['denied', { permission: 'denied' }],
  ['unavailable', { pushKey: null }],
  ['unsupported', { isSupported: false }],
  ['insecure', { isInsecure: true, isSupported: false, needsInstalling: true }],
  ['install', { isSupported: false, needsInstalling: true }],
  ['native', { isNative: true, isSupported: false, needsInstalling: true }],
  ['checking', { pushKey: undefined }],
  ['checking', { owner: undefined }],
  // Shows the action that the user must take, even if other facts are unknown.
  ['denied', { owner: undefined, pushKey: undefined, permission: 'denied' }],
] as const)('%s where %j', (state, facts) => expect(pushStateOf({ ...on, ...facts })).toBe(state))

test('an iPhone needs the app on its home screen, and a Mac does not', () => {
  const device = (userAgent: string, maxTouchPoints: number, more = {}) =>
    deviceFacts({ navigator: { userAgent, maxTouchPoints, ...more }, ...more } as unknown as Window & typeof globalThis)
  const able = { serviceWorker: {}, PushManager: {}, Notification: {} }
  expect(device('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0)', 5)).toEqual({ isSupported: false, needsInstalling: true })
  expect(device('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0)', 5, able)).toEqual({
    isSupported: true,
    needsInstalling: false,
  })
  expect(device('Mozilla/5.0 (Macintosh; Intel Mac OS X)', 5).needsInstalling).toBe(true)
  expect(device('Mozilla/5.0 (Macintosh; Intel Mac OS X)', 0)).toEqual({ isSupported: false, needsInstalling: false })
})
