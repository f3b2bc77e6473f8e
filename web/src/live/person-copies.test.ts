import type { UserId } from '@hither/contract/ids.ts'
import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { updatePersonCopies, withPerson } from './person-copies.ts'

const bob = { id: 'bob' as UserId, username: 'robert', display_name: 'Bob B.', has_image: true, is_online: true }
const old = { username: 'bob', display_name: null }

test.each([
  [
    'a friend',
    { user_id: 'bob', ...old, has_image: false },
    { username: 'robert', display_name: 'Bob B.', has_image: true },
  ],
  ['a user', { id: 'bob', ...old, has_image: false }, { username: 'robert', has_image: true }],
  [
    'a received request',
    { requester_id: 'bob', requester_username: 'bob', requester_display_name: null, has_image: false },
    { requester_username: 'robert', requester_display_name: 'Bob B.', has_image: true },
  ],
  [
    'the owner of a ping, whose picture stays',
    { id: 'p1', user_id: 'bob', ...old, user_has_image: false, has_image: false },
    { username: 'robert', user_has_image: true, has_image: false },
  ],
  [
    'an invitee',
    { recipients: [{ id: 'r1', recipient_id: 'bob', recipient_username: 'bob', recipient_display_name: null }] },
    { recipients: [{ recipient_username: 'robert', recipient_display_name: 'Bob B.' }] },
  ],
  ['a trip', { trips: [{ user_id: 'bob', username: 'bob' }] }, { trips: [{ user_id: 'bob', username: 'robert' }] }],
  [
    'the last message of a conversation',
    { last_message: { sender_id: 'bob', sender_username: 'bob', sender_display_name: null } },
    { last_message: { sender_username: 'robert', sender_display_name: 'Bob B.' } },
  ],
  [
    'a quoted message',
    { reply_to: { sender_id: 'bob', sender_username: 'bob' } },
    { reply_to: { sender_username: 'robert' } },
  ],
  ['a guest', { user_id: 'bob', name: 'bob', response_type: 'accepted', state: 'approved' }, { name: 'robert' }],
])('%s gets the new name and image, alone and in a list', (_, row, expected) => {
  const before = structuredClone(row)
  expect(withPerson(row, bob)).toMatchObject(expected)
  expect(withPerson({ pages: [[row]] }, bob)).toMatchObject({ pages: [[expected]] })
  expect(Object.keys(withPerson(row, bob))).toEqual(Object.keys(row))
  expect(row).toEqual(before)
})

test('what has no outdated copy stays the same object', () => {
  const rows = [
    { user_id: 'eve', ...old },
    { member_ids: ['bob'] },
    withPerson({ user_id: 'bob', ...old }, bob),
    null,
    1,
  ]
  expect(withPerson(rows, bob)).toBe(rows)
})

test('only queries with an outdated copy are written', () => {
  const queryClient = new QueryClient()
  queryClient.setQueryData(['bobs'], [{ user_id: 'bob', ...old }])
  queryClient.setQueryData(['eves'], [{ user_id: 'eve', ...old }])
  const write = vi.spyOn(queryClient, 'setQueryData')
  updatePersonCopies(queryClient, bob)
  updatePersonCopies(queryClient, bob)
  expect(write.mock.calls.map(([key]) => key)).toEqual([['bobs']])
  expect(queryClient.getQueryData(['bobs'])).toMatchObject([{ username: 'robert' }])
})
