import type { SessionId, UserId } from '@hither/contract/ids.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { openTestPool } from '../../../test/harness.ts'
import { planOf } from '../../../test/query-plans.ts'
import type { Pool, Tx } from '../../platform/db/database.ts'
import { newId } from '../../platform/db/ids.ts'
import { claimPushes, claimSecurityPushes, findNextDue, insertPushes } from './pushes.queries.ts'

const people = Array.from({ length: 3000 }, () => newId<UserId>())
const some = people.slice(0, 5)
const at = new Date()
const later = new Date(at.getTime() + 3_600_000)

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
    const push = { kind: 'test', tag: 'test', subject: {}, happenedAt: at, expiresAt: later } as const
    const insert = (tx: Tx) => insertPushes(tx, push, { userIds: some, dueAt: at })
    const { count } = await db.begin(insert)
    expect(count).toBe(5)
    const plan = JSON.stringify(await planOf(db, insert))
    expect(plan).not.toContain('Seq Scan')
  })

  it('to find the next due pushes', async () => {
    expect(await findNextDue(db, at)).toBe(later.toISOString())
    const all = { now: at, leaseUntil: later, isSlow: false, limit: 14, exceptPeople: [], exceptHosts: [] }
    const first = { ...all, after: '00000000-0000-0000-0000-000000000000' }
    const plan = [
      ...(await planOf(db, (tx) => claimPushes(tx, first))),
      ...(await planOf(db, (tx) => claimSecurityPushes(tx, all))),
    ]
    expect(JSON.stringify(plan)).not.toContain('Seq Scan')
    const claim = (from: Parameters<typeof claimPushes>[1]) => db.begin((tx) => claimPushes(tx, from))
    expect(await claim({ ...first, exceptPeople: some })).toEqual([])
    expect(await claim({ ...first, exceptHosts: ['push.example.org'] })).toEqual([])
    expect(await claim({ ...first, isSlow: true })).toEqual([])
    const [one, two] = await claim({ ...first, limit: 2 })
    expect([one, two].map((push) => push?.user_id).sort()).toEqual(some.toSorted().slice(0, 2))
    expect(one).toMatchObject({ tag: 'test', attempts: 1, asked: 1, is_signed_in: true })
    expect(await claim({ ...first, after: some.toSorted()[3] as string })).toHaveLength(1)
    expect(await claim(first)).toHaveLength(2)
    expect(await db.begin((tx) => claimSecurityPushes(tx, all))).toEqual([])
  })
})
