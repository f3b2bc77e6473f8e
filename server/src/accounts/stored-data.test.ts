import { createCircle } from '@hither/contract/circles.ts'
import { createFriendLink } from '@hither/contract/friend-links.ts'
import { blockUser, sendFriendRequest } from '@hither/contract/friends.ts'
import type { UserId } from '@hither/contract/ids.ts'
import type { Conversation } from '@hither/contract/messages/messages.ts'
import { createPing, respondToPing } from '@hither/contract/pings.ts'
import { createReport } from '@hither/contract/reports.ts'
import { storedKinds } from '@hither/contract/runtime/stored-data.ts'
import { getStoredData, type StoredItem } from '@hither/contract/stored-data.ts'
import { shareTrip } from '@hither/contract/trips.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, startServer, type TestServer } from '../../test/harness.ts'
import { planOf } from '../../test/query-plans.ts'
import { actionsOn } from '../messages/harness.ts'
import type { Tx } from '../platform/db/database.ts'
import { jsonParts } from '../platform/db/json-parts.ts'
import { findExported } from './account.service.ts'
import { countStored } from './stored-data.queries.ts'
import { tablesWithoutKind } from './stored-data.rules.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

let server: TestServer
let ann: Person
let bob: Person
let eve: Person

beforeAll(async () => {
  server = await startServer()
  ;[ann, bob, eve] = (await Promise.all(['ann', 'bob', 'eve'].map((name) => server.signUp(name)))) as [
    Person,
    Person,
    Person,
  ]
  await server.befriend(ann, bob)
})

afterAll(() => server.close())

const place = { name: 'Coffee', latitude: 45.5, longitude: -122.6 } as const
const drop = async (owner: Person, fields = {}) =>
  (await server.call(createPing, { body: { ...place, ...fields } }, owner)).body.id
const read = (who?: Person) => server.call(getStoredData, {}, who)
const itemOf = async (who: Person, kind: StoredItem['kind']) =>
  (await read(who)).body.items.find((item) => item.kind === kind)
const later = (ms: number) => new Date(server.clock.now().getTime() + ms).toISOString()

let ending: Conversation

/** One of each kind, of ann. */
async function fill() {
  const theirs = await drop(bob)
  const cast = actionsOn(server)
  const { db } = server
  const now = server.clock.now()
  await drop(ann)
  const zed = await server.signUp('zed')
  await server.befriend(ann, zed)
  const ping_id = await drop(ann, { duration_minutes: 60 })
  ending = await cast.group(ann, [bob, zed], { ping_id, system_created: true })
  const message = await cast.say(ending.id, ann, 'On my way')
  await cast.post(ending.id, ann, { place: { name: 'Nero', address: null, latitude: 45.5, longitude: -122.6 } })
  await cast.react(message.id, ann)
  await cast.say(ending.id, bob, 'See you there')
  await cast.unfriend(ann, zed)
  await server.call(respondToPing, { body: { ping_id: theirs, response_type: 'accepted' } }, ann)
  await server.call(shareTrip, { params: { id: theirs }, body: { eta_minutes: 10 } }, ann)
  const { id } = (await cast.create(ann, [bob])).body
  const staying = await cast.say(id, ann, 'See you')
  await cast.react(staying.id, ann)
  await cast.post(id, ann, { place: { name: 'Nero', address: null, latitude: 45.5, longitude: -122.6 } })
  const photo = await cast.say(id, ann, 'At the lake')
  // As a photo is stored, without its file.
  await db`update messages set attachment = 'photo' where id = ${photo.id}`
  await server.call(sendFriendRequest, { body: { username: eve.username } }, ann)
  await server.call(createCircle, { body: { name: 'Close', member_ids: [bob.id] } }, ann)
  await server.call(createFriendLink, { body: { kind: 'link' } }, ann)
  await server.call(createReport, { body: { subject: 'user', subject_id: bob.id, reason: 'spam' } }, ann)
  await db`insert into blocks (blocker_id, blocked_id, created_at) values (${ann.id}, ${(await server.signUp('max')).id}, ${now})`
  await db`
    insert into images (id, user_id, storage_key, thumb_storage_key, hash, width, height, bytes, thumb_bytes, created_at)
    values (gen_random_uuid(), ${ann.id}, 'full', 'thumb', 'hash', 1, 1, 1, 1, ${now})`
  await db`
    insert into identities (issuer, subject, user_id, created_at) values ('https://id.example.org', 'ann', ${ann.id}, ${now})`
  await db`
    insert into security_events (id, user_id, kind, created_at) values (gen_random_uuid(), ${ann.id}, 'passkey_added', ${now})`
}

describe('what is stored about a person', () => {
  it('is one of each kind, with the dates at which it goes', async () => {
    await fill()
    const { status, body } = await read(ann)
    expect(status).toBe(200)
    expect(body.backup_keep_days).toBeNull()
    const found = body.items.map(({ kind }) => kind)
    expect(found).toEqual(storedKinds)
    const items = Object.fromEntries(body.items.map(({ kind, ...item }) => [kind, item]))
    const [half, hour] = [later(hourMs / 2 + dayMs), later(hourMs + dayMs)]
    expect(items['exact_places']).toMatchObject({
      count: 2,
      erasure: 'date',
      first_erased_at: half,
      last_erased_at: hour,
    })
    expect(items['pins']).toMatchObject({ count: 2, first_erased_at: later(hourMs / 2 + 7 * dayMs) })
    expect(items['responses']).toMatchObject({
      count: 1,
      erasure: 'date',
      last_erased_at: later(hourMs / 2 + 7 * dayMs),
    })
    expect(items['trips']).toMatchObject({ count: 1, last_erased_at: later(hourMs / 2) })
    const undated = { first_erased_at: null, last_erased_at: null }
    for (const kind of [
      'messages',
      'photos',
      'places',
      'reactions',
      'friends',
      'friend_requests',
      'pictures',
      'circles',
    ])
      expect([kind, items[kind]]).toMatchObject([kind, { count: 1, erasure: 'you', ...undated }])
    expect(items['chats']).toMatchObject({ count: 2, erasure: 'you', ...undated })
    const goes = later(hourMs + 7 * dayMs)
    expect(items['ending_messages']).toMatchObject({
      ...{ count: 2, erasure: 'date', oldest_at: later(0), first_erased_at: goes, last_erased_at: goes },
    })
    expect(items['security_events']).toMatchObject({ count: 1, last_erased_at: later(90 * dayMs) })
    expect(items['reports_made']).toMatchObject({ count: 1, last_erased_at: later(180 * dayMs) })
    expect(items['account']).toMatchObject({ count: 1, erasure: 'account', oldest_at: later(0), ...undated })
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(4096)
  })

  it('is not changed by a byte by blocks, circles, reports and messages of others', async () => {
    const cast = actionsOn(server)
    const { id } = (await cast.create(bob, [ann])).body
    const before = JSON.stringify((await read(ann)).body)
    await cast.say(id, bob, 'Hello')
    await cast.say(ending.id, bob, 'Hello')
    await server.call(createCircle, { body: { name: 'Ours', member_ids: [ann.id] } }, bob)
    for (const person of [bob, eve])
      await server.call(createReport, { body: { subject: 'user', subject_id: ann.id, reason: 'spam' } }, person)
    const stranger = await server.signUp('stranger')
    expect((await server.call(blockUser, { params: { username: ann.username } }, stranger)).status).toBeLessThan(300)
    expect(JSON.stringify((await read(ann)).body)).toBe(before)
  })

  it('is sent to the signed-in person only', async () => {
    expect((await read()).status).toBe(401)
    const { items } = (await read(eve)).body
    expect(items.find(({ kind }) => kind === 'messages')).toBeUndefined()
  })

  it('has no exact places after their erasure', async () => {
    const cat = await server.signUp('cat')
    await drop(cat, { is_public: true })
    expect(await itemOf(cat, 'exact_places')).toMatchObject({ count: 1 })
    server.clock.advance(hourMs / 2 + dayMs)
    const again = await server.signIn(cat)
    expect(await itemOf(again, 'exact_places')).toBeUndefined()
    expect(await itemOf(again, 'pins')).toMatchObject({ count: 1 })
  })
})

/** The tables that this work reads: a transaction holds a lock on each until its end. */
async function tablesOf(work: (tx: Tx) => Promise<unknown>): Promise<string[]> {
  return server.db.begin(async (tx) => {
    await work(tx)
    const rows = await tx<{ name: string }[]>`
      select distinct c.relname as name from pg_locks l join pg_class c on c.oid = l.relation
      where l.pid = pg_backend_pid() and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`
    return rows.map(({ name }) => name)
  })
}

async function readExport(tx: Tx): Promise<void> {
  for await (const _ of jsonParts(tx, await findExported(tx, ann.id, new Date())));
}

describe('the kinds of stored data', () => {
  it('cover every table that the export reads, so that a new one is not forgotten', async () => {
    const read = await tablesOf(readExport)
    expect(new Set(read).size).toBeGreaterThan(20)
    expect(tablesWithoutKind(read)).toEqual([])
    await server.db`create table parcels (user_id uuid)`
    const withNew = await tablesOf(async (tx) => {
      await readExport(tx)
      await tx`select user_id from parcels where user_id = ${ann.id}`
    })
    expect(tablesWithoutKind(withNew)).toEqual(['parcels'])
  })

  it('are counted by indexes on the person, in one statement', async () => {
    const ids = Array.from(
      { length: 3000 },
      (_, n) => `0190b0b0-0000-7000-8000-${String(n).padStart(12, '0')}` as UserId,
    )
    await server.db`
      insert into users (id, email, email_key, username, username_key, created_at, updated_at)
      select id::uuid, n || '@example.com', n || '@example.com', 'user' || n, 'user' || n, now(), now()
      from unnest(${ids}::text[]) with ordinality as p (id, n)`
    await server.db`
      insert into location_pins (id, user_id, name, latitude, longitude, area_latitude, area_longitude, is_public,
        responses_visible, created_at, updated_at, expires_at, announced_status)
      select gen_random_uuid(), id::uuid, 'Coffee', 0, 0, 0, 0, false, true, now(), now(), now(), 'expired'
      from unnest(${ids}::text[]) as p (id)`
    await server.db`analyze`
    const scans = (await planOf(server.db, (tx) => countStored(tx, ann.id, 7, new Date()))).filter(
      (step) => step['Node Type'] === 'Seq Scan' && ['location_pins', 'users'].includes(String(step['Relation Name'])),
    )
    expect(scans).toEqual([])
  })
})
