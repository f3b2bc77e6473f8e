import type { SessionId, UserId } from '@hither/contract/ids.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { openTestPool } from '../../../test/harness.ts'
import { planOf } from '../../../test/query-plans.ts'
import type { Pool } from '../../platform/db/database.ts'
import { newId } from '../../platform/db/ids.ts'
import { claimPush, countDue, findNextDue, insertForPeople } from './pushes.queries.ts'

const people = Array.from({ length: 3000 }, () => newId<UserId>())
const some = people.slice(0, 5)
const at = new Date()
const later = new Date(at.getTime() + 3_600_000)
const times = { happenedAt: at, dueAt: at, expiresAt: later }

let db: Pool

beforeAll(async () => {
  const opened = await openTestPool()
  db = opened.db
  const sessions = people.map(() => newId<SessionId>())
  await db`
    insert into users (id, email, email_key, username, username_key, created_at, updated_at)
    select id::uuid, n || '@example.org', n || '@example.org', 'user' || n, 'user' || n, now(), now()
    from unnest(${people}::text[]) with ordinality as p (id, n)`
  await db`
    insert into sessions (id, user_id, created_at, last_used_at, expires_at)
    select s::uuid, p::uuid, now(), now(), now() + interval '60 days'
    from unnest(${sessions}::text[], ${people}::text[]) as x (s, p)`
  await db`
    insert into push_subscriptions (id, session_id, user_id, endpoint, p256dh, auth, updated_at)
    select s::uuid, s::uuid, p::uuid, 'https://push.example.org/' || s, 'key', 'auth', now()
    from unnest(${sessions}::text[], ${people}::text[]) as x (s, p)`
  await db`
    insert into push_deliveries (id, subscription_id, kind, tag, happened_at, due_at, expires_at)
    select gen_random_uuid(), s::uuid, 'test', 'other ' || n, now(), ${later}, ${later}
    from unnest(${sessions}::text[]) as x (s), generate_series(1, 3) n`
  await db`analyze`
  return opened.close
})

describe('with thousands of devices and waiting pushes, no sequential scan is planned', () => {
  it('to insert the pushes for the devices of some users', async () => {
    const subject = { kind: 'test', tag: 'test' } as const
    const { count } = await db.begin((tx) => insertForPeople(tx, some, subject, times))
    expect(count).toBe(5)
    const plan = JSON.stringify(await planOf(db, (tx) => insertForPeople(tx, some, subject, times)))
    expect(plan).not.toContain('Seq Scan')
  })

  it('to find the next due push', async () => {
    expect(await countDue(db, at, 3)).toBe(3)
    expect(await countDue(db, at, 12)).toBe(5)
    expect(await findNextDue(db, at)).toBe(later.toISOString())
    const claimed = await db.begin((tx) => claimPush(tx, { now: at, leaseUntil: later, reachableOnly: true }))
    expect(claimed).toMatchObject({ tag: 'test', attempts: 1, asked: 1, is_signed_in: true })
    const plan = JSON.stringify(
      await db`
      explain (format json) select w.id from push_deliveries w join push_subscriptions ws on ws.id = w.subscription_id
      where w.due_at <= ${at} and ws.failing_since is null order by w.due_at limit 1 for update of w skip locked`,
    )
    expect(plan).not.toContain('Seq Scan')
  })
})
