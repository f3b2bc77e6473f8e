import type { UserRow } from '@hither/contract/feeds.ts'
import type { Friend } from '@hither/contract/friends.ts'
import type { FriendshipId, UserId } from '@hither/contract/ids.ts'
import type { User } from '@hither/contract/users.ts'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as images from '../api/images.ts'
import { clearStoredSession, readStoredSession, storeTokens, storeUser } from '../api/stored-session.ts'
import { friendsQuery } from '../friends/friends.api.ts'
import { startSession } from '../session/session.ts'
import { applyImageChange, applyOwnUserChange } from './profile.live.ts'

const annId = '019a0000-0000-7000-8000-000000000001' as UserId
const bobId = '019a0000-0000-7000-8000-000000000002' as UserId
const ann = { id: annId, username: 'ann', email: 'ann@example.com', has_image: false } as User
const bob: UserRow = { id: bobId, username: 'bob', display_name: null, has_image: true, is_online: false }
const change = (row: UserRow) => ({ table: 'users', eventType: 'UPDATE', new: row, old: {} }) as const

let stop: () => void
let queryClient: QueryClient

beforeEach(() => {
  vi.stubGlobal('fetch', vi.fn().mockRejectedValue(new TypeError('no network here')))
  storeTokens({ access_token: 'a1', refresh_token: 'r1', expires_at: 2_000_000_000 })
  storeUser(ann)
  stop = startSession()
  queryClient = new QueryClient()
  const { id: user_id, ...rest } = bob
  const friend: Friend = { id: 'f1' as FriendshipId, user_id, ...rest, created_at: '2026-11-21T12:00:00.000Z' }
  queryClient.setQueryData(friendsQuery().queryKey, [friend])
})

afterEach(() => {
  clearStoredSession()
  stop()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test("a change on the viewer's other device updates only the changed fields", () => {
  applyOwnUserChange(
    change({ id: annId, username: 'annie', display_name: 'Ann', has_image: true, is_online: true }),
    annId,
  )
  expect(readStoredSession().user).toEqual({ ...ann, username: 'annie', display_name: 'Ann', has_image: true })
  applyOwnUserChange(change(bob), annId)
  expect(readStoredSession().user?.username).toBe('annie')
})

test('a replaced image is fetched', () => {
  const refresh = vi.spyOn(images, 'refreshUserImage').mockResolvedValue()
  applyImageChange(queryClient, change(bob))
  expect(refresh).toHaveBeenCalledExactlyOnceWith(bobId)
})

test('a friend who comes online causes no request', () => {
  const refresh = vi.spyOn(images, 'refreshUserImage').mockResolvedValue()
  applyImageChange(queryClient, change({ ...bob, is_online: true }))
  expect(refresh).not.toHaveBeenCalled()
})

test('a deleted image is not requested', () => {
  const refresh = vi.spyOn(images, 'refreshUserImage').mockResolvedValue()
  applyImageChange(queryClient, change({ ...bob, has_image: false }))
  expect(refresh).not.toHaveBeenCalled()
})
