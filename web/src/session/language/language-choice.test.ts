import type { UserId } from '@hither/contract/ids.ts'
import type { User } from '@hither/contract/users.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setBaseAddress } from '../../api/base-address.ts'
import { storeTokens } from '../../api/stored-session.ts'
import { chooseLanguage, followLanguage, sendUnsentLanguage } from './language-choice.ts'

vi.mock('../../i18n/texts.ts', () => ({ textAddresses: () => ({}) }))

const ann = { id: 'ann' as UserId, locale: null } as User
const bob = { id: 'bob' as UserId, locale: null } as User

let isOnline: boolean
let sent: unknown[]

beforeEach(() => {
  isOnline = false
  sent = []
  for (const name of ['localStorage', 'sessionStorage']) vi.stubGlobal(name, memoryStorage())
  vi.stubGlobal('location', { reload: () => undefined })
  vi.stubGlobal('fetch', async (address: string, { method, body }: { method: string; body: string }) => {
    if (!isOnline) throw new TypeError('Failed to fetch')
    sent.push([method, address, JSON.parse(body)])
    return Response.json(ann)
  })
  setBaseAddress('http://server')
  storeTokens({ access_token: 'a1', refresh_token: 'r1', expires_at: 1 })
})

afterEach(() => vi.unstubAllGlobals())

function memoryStorage() {
  const items = new Map<string, string>()
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  }
}

test('a choice that was not sent is sent later, once', async () => {
  expect(await chooseLanguage('de', ann)).toBe(true)
  isOnline = true
  expect(await sendUnsentLanguage(ann)).toEqual(ann)
  expect(sent).toEqual([['PATCH', 'http://server/api/users/ann', { locale: 'de' }]])
  expect(await sendUnsentLanguage(ann)).toBeNull()
})

test('a choice that was not sent does not change the account of the next user of the device', async () => {
  expect(await chooseLanguage('de', ann)).toBe(true)
  isOnline = true
  expect(await sendUnsentLanguage(bob)).toBeNull()
  expect(sent).toEqual([])
})

test('a page follows the language of the account once, also if another tab has stored it since the page began to load', () => {
  localStorage.setItem('locale', 'de')
  expect(followLanguage({ ...ann, locale: 'de' })).toBe(true)
  expect(followLanguage({ ...ann, locale: 'de' })).toBe(false)
  expect(followLanguage({ ...ann, locale: 'fr' })).toBe(true)
})
