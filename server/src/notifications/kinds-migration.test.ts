import type { SessionId, UserId } from '@hither/contract/ids.ts'
import { notificationDefaults } from '@hither/contract/runtime/notifications.ts'
import { beforeEach, expect, it } from 'vitest'
import { openTestPool } from '../../test/harness.ts'
import type { Pool } from '../platform/db/database.ts'
import { newId } from '../platform/db/ids.ts'
import { applyMigrations, migrate } from '../platform/db/migrations.ts'
import { findPreferences } from './preferences.queries.ts'

let db: Pool

const [ann, bob, cat] = [newId<UserId>(), newId<UserId>(), newId<UserId>()]
const session = newId<SessionId>()

beforeEach(async () => {
  const opened = await openTestPool('empty')
  db = opened.db
  await db.begin((tx) => applyMigrations(tx, '0043_place_erasure.sql'))
  await db`
    insert into users (id, email, email_key, username, username_key, created_at, updated_at)
    select id::uuid, 'user' || n, 'user' || n, 'user' || n, 'user' || n, now(), now() from unnest(${[ann, bob, cat]}::text[]) with ordinality as p (id, n)`
  return opened.close
})

it('keeps the switches of a user, and the defaults of all others', async () => {
  await db`
    insert into notification_preferences (user_id, ping_trip, message_reaction, friend_request, quiet_from, quiet_to, time_zone)
    values (${ann}, false, true, false, '22:00', '07:00', 'Europe/Berlin'), (${bob}, true, false, true, null, null, null)`
  await migrate(db)
  expect(await findPreferences(db, ann)).toEqual({
    kinds: { ...notificationDefaults, ping_trip: false, message_reaction: true, friend_request: false },
    quiet_hours: { from: '22:00', to: '07:00', time_zone: 'Europe/Berlin' },
    hide_details: false,
  })
  const unchanged = { kinds: notificationDefaults, quiet_hours: null, hide_details: false }
  for (const user of [bob, cat]) expect(await findPreferences(db, user)).toEqual(unchanged)
})

it('keeps what a waiting push is about', async () => {
  await db`
    insert into sessions (id, user_id, created_at, last_used_at, expires_at)
    values (${session}, ${ann}, now(), now(), now() + interval '60 days')`
  await db`
    insert into push_subscriptions (id, session_id, user_id, endpoint, p256dh, auth, updated_at)
    values (${session}, ${session}, ${ann}, 'https://push.example.org/1', 'key', 'auth', now())`
  await db`
    insert into push_deliveries (id, subscription_id, kind, tag, security_event, happened_at, due_at, expires_at)
    values (${newId()}, ${session}, 'security', 'a', 'password_reset', now(), now(), now()),
      (${newId()}, ${session}, 'test', 'b', null, now(), now(), now())`
  await migrate(db)
  const pushes = await db`select kind, subject from push_deliveries order by tag`
  expect(pushes).toEqual([
    { kind: 'security', subject: { change: 'password_reset' } },
    { kind: 'test', subject: {} },
  ])
})
