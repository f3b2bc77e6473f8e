import type { PingId, RecipientId, SessionId, UserId } from '@hither/contract/ids.ts'
import { beforeAll, expect, it } from 'vitest'
import { openTestPool } from '../../test/harness.ts'
import { planOf } from '../../test/query-plans.ts'
import type { Db, Pool, Tx } from '../platform/db/database.ts'
import { newId } from '../platform/db/ids.ts'
import * as audience from './audience/trip-audience.queries.ts'
import * as queries from './trips.queries.ts'

const count = 1500
const people = Array.from({ length: count }, () => newId<UserId>())
const sessions = people.map(() => newId<SessionId>())
const pings = people.map(() => newId<PingId>())
const [ann = newId<UserId>(), bob = newId<UserId>()] = people
const [session = newId<SessionId>()] = sessions
const [ping = newId<PingId>()] = pings
const now = new Date()

let db: Pool

beforeAll(async () => {
  const opened = await openTestPool()
  db = opened.db
  await db`
    insert into users (id, email, email_key, username, username_key, created_at, updated_at)
    select id::uuid, n || '@example.org', n || '@example.org', 'user' || n, 'user' || n, now(), now()
    from unnest(${people}::text[]) with ordinality as p (id, n)`
  await db`
    insert into sessions (id, user_id, created_at, last_used_at, expires_at)
    select s.id::uuid, s.user_id::uuid, now(), now(), now() + interval '30 days'
    from unnest(${sessions}::text[], ${people}::text[]) as s (id, user_id)`
  // Each person has a ping to which the next four are going.
  const guests = people.flatMap((owner, n) => [1, 2, 3, 4].map((step) => ({ n, owner, other: (n + step) % count })))
  await db`
    insert into friendships select f.id::uuid, f.a::uuid, f.b::uuid, now()
    from unnest(${guests.map(() => newId())}::text[], ${guests.map(({ owner }) => owner as string)}::text[],
      ${guests.map(({ other }) => people[other] as string)}::text[]) as f (id, a, b)`
  await db`
    insert into location_pins (id, user_id, name, latitude, longitude, area_latitude, area_longitude, is_public, responses_visible,
      created_at, updated_at, expires_at, announced_status)
    select p.id::uuid, p.owner::uuid, 'Coffee', 0, 0, 0, 0, false, true, ${now}, ${now}, ${now}::timestamptz + interval '1 hour',
      'active'
    from unnest(${pings}::text[], ${people}::text[]) as p (id, owner)`
  const ids = guests.map(() => newId<RecipientId>())
  await db`
    insert into ping_recipients (id, ping_id, recipient_id, expires_at)
    select r.id::uuid, r.ping::uuid, r.person::uuid, ${now}::timestamptz + interval '1 hour'
    from unnest(${ids}::text[], ${guests.map(({ n }) => pings[n] as string)}::text[],
      ${guests.map(({ other }) => people[other] as string)}::text[]) as r (id, ping, person)`
  await db`
    insert into ping_responses (ping_id, user_id, response_type, created_at, updated_at)
    select ping_id, recipient_id, 'accepted', ${now}::timestamptz, ${now}::timestamptz from ping_recipients`
  await db`
    insert into ping_trips (ping_id, user_id, session_id, state, arrives_at, started_at, updated_at)
    select r.ping_id, r.recipient_id, s.id, 'en_route', ${now}::timestamptz + random() * interval '3 hours', ${now}, ${now}
    from ping_recipients r join sessions s on s.user_id = r.recipient_id`
  await db`analyze`
  return opened.close
})

const asked: Record<string, (tx: Tx) => PromiseLike<unknown>> = {
  deleteOfPings: (tx) => audience.deleteOfPings(tx, [ping]),
  deleteOfPerson: (tx) => audience.deleteOfPerson(tx, ping, bob),
  deleteBetween: (tx) => audience.deleteBetween(tx, ann, bob),
  listAtPing: (tx) => audience.listAtPing(tx, ping, now),
  listAtPingsBetween: (tx) => audience.listAtPingsBetween(tx, ann, bob, now),
  listOfPair: (tx) => audience.listOfPair(tx, ann, bob, now),
  listOverdue: (tx) => queries.listOverdue(tx, now, 10),
  findNextArrival: (tx) => queries.findNextArrival(tx),
  deleteOfSessions: (tx) => queries.deleteOfSessions(tx, [session]),
}

const tables = ['ping_trips', 'location_pins', 'ping_recipients', 'ping_responses', 'friendships', 'users', 'sessions']

it.each(Object.entries(asked))('with thousands of trips, %s plans no sequential scan', async (_name, ask) => {
  const scans = (await planOf(db as Db, ask)).filter((step) => tables.includes(String(step['Relation Name'])))
  expect(scans.length).toBeGreaterThan(0)
  expect(scans.filter((step) => step['Node Type'] === 'Seq Scan')).toEqual([])
})
