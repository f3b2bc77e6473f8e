import type { FeedChange } from '@hither/contract/feeds.ts'
import type { UserId } from '@hither/contract/ids.ts'
import { QueryClient } from '@tanstack/react-query'
import { expect, it, onTestFinished } from 'vitest'
import { keepInvalidated } from '../api/keep-invalidated.ts'
import { friendsQuery } from '../friends/friends.api.ts'
import { applyChange } from './apply-change.ts'

const [ann, bob] = ['ann', 'bob'] as UserId[] as [UserId, UserId]

function comesOnline(id: UserId): FeedChange {
  const row = { id, username: id, has_image: false }
  return {
    table: 'users',
    eventType: 'UPDATE',
    new: { ...row, is_online: true },
    old: { ...row, is_online: false },
  } as unknown as FeedChange
}

it('a change is applied to an invalidated list, which stays invalidated', async () => {
  const queryClient = new QueryClient()
  onTestFinished(keepInvalidated(queryClient))
  const { queryKey } = friendsQuery()
  const friend = { id: '1', user_id: bob, username: 'bob', has_image: false, is_online: false, created_at: '' }
  queryClient.setQueryData(queryKey, [friend] as never)
  const isInvalidated = () => queryClient.getQueryState(queryKey)?.isInvalidated

  applyChange(queryClient, comesOnline(bob), ann)
  expect(isInvalidated()).toBe(false)
  await queryClient.invalidateQueries({ queryKey })
  applyChange(queryClient, comesOnline(bob), ann)
  expect(queryClient.getQueryData(queryKey)).toMatchObject([{ is_online: true }])
  expect(isInvalidated()).toBe(true)
})
