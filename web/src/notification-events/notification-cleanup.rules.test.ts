import type { UserId } from '@hither/contract/ids.ts'
import type { ConversationSummary } from '@hither/contract/messages/messages.ts'
import type { ShownPing } from '@hither/contract/pings.ts'
import { expect, test } from 'vitest'
import type { NotificationData } from '../service-worker/push.rules.ts'
import { isObsolete } from './notification-cleanup.rules.ts'

const at = Date.UTC(2026, 10, 21, 12)
const time = (ms: number) => new Date(ms).toISOString()
const viewerId = 'ann' as UserId

function shown(kind: string): NotificationData {
  return { kind, path: '/', ping_id: 'p1', revision: null, conversation_id: 'c1', at }
}

function chat(unread_count: number, created_at: string | null) {
  return [{ id: 'c1', unread_count, last_message: created_at && { created_at } }] as unknown as ConversationSummary[]
}

function ping(user_id: string, updated_at: string) {
  return { id: 'p1', access: 'invitee', responses: [{ user_id, updated_at }] } as unknown as ShownPing
}

test('the notification of a read message is obsolete', () => {
  const settled = (summaries: ConversationSummary[] | undefined) =>
    isObsolete(shown('message'), { summaries, findPing: () => undefined, viewerId, listedAtMs: null })
  expect(settled(chat(0, time(at)))).toBe(true)
  expect(settled(chat(0, time(at + 1000)))).toBe(true)
  expect(settled(chat(1, time(at)))).toBe(false)
  // The page does not know the message yet.
  expect(settled(chat(0, time(at - 1000)))).toBe(false)
  expect(settled(chat(0, null))).toBe(false)
  expect(settled([])).toBe(false)
  expect(settled(undefined)).toBe(false)
})

test('the notification of a conversation that a later list lacks is obsolete', () => {
  const settled = (kind: string, summaries: ConversationSummary[], listedAtMs: number | null) =>
    isObsolete(shown(kind), { summaries, findPing: () => undefined, viewerId, listedAtMs })
  for (const kind of ['message', 'message_reaction']) {
    expect(settled(kind, [], at + 1)).toBe(true)
    // The list may be from before the conversation was created.
    expect(settled(kind, [], at)).toBe(false)
    expect(settled(kind, [], null)).toBe(false)
    expect(settled(kind, chat(1, time(at)), at + 1)).toBe(false)
  }
})

test('the notification of a ping with a response is obsolete', () => {
  const settled = (kind: string, ping: ShownPing | undefined) =>
    isObsolete(
      { ...shown(kind), conversation_id: null },
      { summaries: undefined, findPing: (id) => (id === 'p1' ? ping : undefined), viewerId, listedAtMs: null },
    )
  expect(settled('new_ping', ping('ann', time(at + 1)))).toBe(true)
  expect(settled('ping_activated', ping('ann', time(at + 1)))).toBe(true)
  // A user who responded to the scheduled ping is still notified of its start.
  expect(settled('ping_activated', ping('ann', time(at - 1)))).toBe(false)
  expect(settled('new_ping', ping('bob', time(at + 1)))).toBe(false)
  expect(settled('ping_changed', ping('ann', time(at + 1)))).toBe(true)
  expect(settled('ping_changed', ping('ann', time(at - 1)))).toBe(false)
  // The ping still starts soon.
  expect(settled('ping_reminder', ping('ann', time(at + 1)))).toBe(false)
  expect(settled('ping_response', ping('ann', time(at + 1)))).toBe(false)
  expect(settled('new_ping', undefined)).toBe(false)
})
