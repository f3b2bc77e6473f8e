import type { PingId, RecipientId, UserId } from '@hither/contract/ids.ts'
import type { Ping } from '@hither/contract/pings.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { openTestPool } from '../../test/harness.ts'
import { planOf, plansOf } from '../../test/query-plans.ts'
import type { Db, Pool, Tx } from '../platform/db/database.ts'
import { newId } from '../platform/db/ids.ts'
import { lockPingOwnerShared, lockPingOwnersShared } from '../users/user-locks.ts'
import { findNextDue, listDue, listStale } from './announcements.queries.ts'
import { findNextStart, listToRemind } from './changes/reminders.queries.ts'
import { listBetween } from './ping-audience.queries.ts'
import { listOwnPings, listPings } from './pings.queries.ts'
import { listDuePlaces } from './place/place-erasure.queries.ts'

const firstPage = { limit: 100, before: null }
const people = Array.from({ length: 1500 }, () => newId<UserId>())
const [ann = newId<UserId>()] = people
const now = new Date()

let db: Pool

beforeAll(async () => {
  const opened = await openTestPool()
  db = opened.db
  await db`
    insert into users (id, email, email_key, username, username_key, created_at, updated_at)
    select id::uuid, n || '@example.org', n || '@example.org', 'user' || n, 'user' || n, now(), now()
    from unnest(${people}::text[]) with ordinality as p (id, n)`
  // Each user is a friend of the next four, and has sent them one active ping and three expired ones.
  const friends = people.flatMap((a, n) => [1, 2, 3, 4].map((step) => [a, people[(n + step) % people.length] ?? a]))
  await db`
    insert into friendships select f.id::uuid, f.a::uuid, f.b::uuid, now()
    from unnest(${friends.map(() => newId())}::text[], ${friends.map(([a]) => a as string)}::text[],
      ${friends.map(([, b]) => b as string)}::text[]) as f (id, a, b)`
  const pings = people.flatMap((owner) => [1, 2, 3, 4].map((age) => ({ id: newId<PingId>(), owner, age })))
  await db`
    insert into location_pins (id, user_id, name, latitude, longitude, area_latitude, area_longitude, is_public, responses_visible,
      created_at, updated_at, expires_at, announced_status)
    select p.id::uuid, p.owner::uuid, 'Coffee', 0, 0, 0, 0, false, true, ${now}::timestamptz - p.age * interval '1 hour', ${now},
      ${now}::timestamptz + (1.5 - p.age) * interval '1 hour', 'active'
    from unnest(${pings.map(({ id }) => id)}::text[], ${pings.map(({ owner }) => owner)}::text[],
      ${pings.map(({ age }) => age)}::int[]) as p (id, owner, age)`
  const ids = Array.from({ length: pings.length * 4 }, () => newId<RecipientId>())
  await db`
    insert into ping_recipients (id, ping_id, recipient_id, expires_at)
    select (${ids}::text[])[row_number() over ()]::uuid, p.id, f.requested_id, p.expires_at
    from location_pins p join friendships f on f.requester_id = p.user_id`
  await db`
    insert into ping_responses select ping_id, recipient_id, 'accepted', ${now}::timestamptz, ${now}::timestamptz
    from ping_recipients`
  await db`
    insert into sessions (id, user_id, created_at, last_used_at, expires_at)
    select id, id, now(), now(), now() + interval '30 days' from users`
  await db`
    insert into ping_trips
    select v.ping_id, v.user_id, v.user_id, 'en_route', now() + interval '10 minutes', now(), now()
    from ping_responses v join location_pins p on p.id = v.ping_id where p.expires_at > ${now}`
  await db`analyze`
  return opened.close
})

const lists = {
  listPings,
  listPingsWithOwnRecipients: (db: Db, viewerId: UserId, now: Date) => listPings(db, viewerId, now, 'own'),
  listOwnPings: (db: Db, ownerId: UserId, now: Date) => listOwnPings(db, ownerId, now, firstPage),
  listBetween: (db: Db, viewerId: UserId) => listBetween(db, [viewerId, people[1] ?? viewerId], now, null),
  listDue: (db: Db) => listDue(db, new Date(now.getTime() - 2.4 * 3_600_000), 200),
  findNextDue: (db: Db) => findNextDue(db),
  listToRemind: (db: Db) => listToRemind(db, now, 200),
  findNextStart: (db: Db) => findNextStart(db),
  listStale: (db: Db) => listStale(db, now, 200),
  listDuePlaces: (db: Db) => listDuePlaces(db, new Date(now.getTime() - 2.4 * 3_600_000), 200),
}

describe('with thousands of pings, no sequential scan of their tables is planned', () => {
  it.each(Object.entries(lists))('for the query %s', async (_name, list) => {
    const scans = (await planOf(db, (tx) => list(tx, ann, now))).filter((step) =>
      ['location_pins', 'ping_recipients', 'ping_responses', 'ping_trips', 'friendships', 'users'].includes(
        String(step['Relation Name']),
      ),
    )
    expect(scans.length).toBeGreaterThan(0)
    expect(scans.filter((step) => step['Node Type'] === 'Seq Scan')).toEqual([])
  })

  it('and the lists are complete', async () => {
    const [list] = await listPings(db, ann, now)
    const seen = JSON.parse(list?.json ?? '') as Ping[]
    const own = await listOwnPings(db, ann, now, firstPage)
    expect(seen).toHaveLength(5)
    expect(own).toHaveLength(4)
    for (const ping of [...seen, ...own]) {
      expect(ping.recipients).toHaveLength(4)
      expect(ping.responses).toHaveLength(4)
    }
    for (const { trips } of seen) expect(trips).toHaveLength(4)
  })
})

describe('the lock of the owners of pings', () => {
  const readsOfUsers = async (ask: (tx: Tx) => Promise<unknown>) =>
    (await planOf(db, ask)).filter((step) => step['Relation Name'] === 'users')

  it('looks up users by id instead of reading all of them in the order of the index', async () => {
    const pings = await db<{ id: PingId }[]>`select id from location_pins limit 2`
    const pingIds = pings.map(({ id }) => id)
    const [pingId = newId<PingId>()] = pingIds
    for (const lock of [
      (tx: Tx) => lockPingOwnersShared(tx, pingIds),
      (tx: Tx) => lockPingOwnerShared(tx, pingId, ann),
    ]) {
      const reads = await readsOfUsers(lock)
      expect(reads.map((step) => [step['Node Type'], typeof step['Index Cond']])).toEqual([['Index Scan', 'string']])
    }
  })

  it('is planned a few times for a connection and not for every response', async () => {
    const [ping = { id: newId<PingId>() }] = await db<{ id: PingId }[]>`select id from location_pins limit 1`
    const planned = await db.begin(async (tx) => {
      for (let locked = 0; locked < 20; locked++) await lockPingOwnerShared(tx, ping.id, ann)
      return plansOf(tx, 'select id from users')
    })
    expect(planned).toEqual([{ each: 5, shared: 15 }])
  })
})
