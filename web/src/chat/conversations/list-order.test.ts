import { expect, test } from 'vitest'
import { archivedConversations, listedConversations, type Placement, withArchive, withPin } from './list-order.ts'

interface Chat extends Placement {
  name: string
}

const at = '2026-11-22T12:00:00.000Z'
const chat = (name: string, placement: Partial<Placement> = {}): Chat => ({
  name,
  pinned_at: null,
  archived_at: null,
  ...placement,
})
const namesOf = (chats: readonly Chat[]) => chats.map(({ name }) => name)

test('lists pinned chats first, keeps the order of the server within both parts and leaves archived chats out', () => {
  const chats = [
    chat('newest'),
    chat('archived', { archived_at: at }),
    chat('pinned', { pinned_at: at }),
    chat('older'),
    chat('pinned and old', { pinned_at: '2020-01-01T00:00:00.000Z' }),
  ]
  expect(namesOf(listedConversations(chats))).toEqual(['pinned', 'pinned and old', 'newest', 'older'])
  expect(namesOf(archivedConversations(chats))).toEqual(['archived'])
})

test('pinning unarchives a chat and archiving unpins it', () => {
  const pinned = withPin(chat('a', { archived_at: at }), at)
  expect(pinned).toEqual(chat('a', { pinned_at: at }))
  expect(withArchive(pinned, at)).toEqual(chat('a', { archived_at: at }))
})

test('unpinning does not unarchive, and unarchiving does not unpin', () => {
  expect(withPin(chat('a', { archived_at: at }), null)).toEqual(chat('a', { archived_at: at }))
  expect(withArchive(chat('a', { pinned_at: at }), null)).toEqual(chat('a', { pinned_at: at }))
})
