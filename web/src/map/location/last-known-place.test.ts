import type { UserId } from '@hither/contract/ids.ts'
import type { User } from '@hither/contract/users.ts'
import { beforeEach, expect, it } from 'vitest'
import { clearStoredSession, storeTokens, storeUser } from '../../api/stored-session.ts'
import { readLastKnownPlace, setLastKnownPlace } from './last-known-place.ts'

const place = { latitude: 40.7, longitude: -74, accuracyM: 10 }
const signIn = (id: string) => storeUser({ id: id as UserId } as User)
const refresh = () => storeTokens({ access_token: 'a', refresh_token: 'r', expires_at: 1 })

beforeEach(() => {
  signIn('ann')
  setLastKnownPlace(place)
})

it('is kept while the same user stays signed in', () => {
  refresh()
  expect(readLastKnownPlace()).toEqual(place)
})

it('is forgotten at the sign-out', () => {
  clearStoredSession()
  expect(readLastKnownPlace()).toBeNull()
})

it('of the next user is kept too, and that of the previous one forgotten', () => {
  signIn('bob')
  expect(readLastKnownPlace()).toBeNull()
  setLastKnownPlace(place)
  refresh()
  expect(readLastKnownPlace()).toEqual(place)
})
