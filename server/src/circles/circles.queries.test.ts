import { gzipSync } from 'node:zlib'
import type { CircleId, FriendshipId, UserId } from '@hither/contract/ids.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { planOf } from '../../test/query-plans.ts'
import type { Pool } from '../platform/db/database.ts'
import { newId } from '../platform/db/ids.ts'
import { openRelationsPool } from '../relations/harness.ts'
import * as queries from './circles.queries.ts'

let db: Pool
let close: () => Promise<unknown>
let people: UserId[]
let ann: UserId
let circles: CircleId[]
let friendship: FriendshipId

beforeAll(async () => {
  const opened = await openRelationsPool()
  ;({ db, people, close } = opened)
  ann = people[0] as UserId
  // Each of the 3000 users has a circle with four friends.
  circles = people.map(() => newId<CircleId>())
  await db`
    insert into circles (id, user_id, name, created_at, updated_at)
    select c.id::uuid, c.owner::uuid, 'Work', now(), now()
    from unnest(${circles}::text[], ${people}::text[]) as c (id, owner)`
  await db`
    insert into circle_members (circle_id, user_id, added_at, friendship_id)
    select c.id, f.requested_id, now(), f.id from circles c join friendships f on f.requester_id = c.user_id`
  await db`analyze`
  const [row] = await db<{ friendship_id: FriendshipId }[]>`
    select friendship_id from circle_members where circle_id = ${circles[0] as string} limit 1`
  friendship = row?.friendship_id as FriendshipId
})

afterAll(() => close())

const now = new Date()
const fields = () => ({ name: 'Work', emoji: null, member_ids: people.slice(1, 4), userId: ann, now })

it.each([
  ['the list of a user', (tx: Pool) => queries.listCircles(tx, ann)],
  ['the members of the circles of a ping', (tx: Pool) => queries.listMemberIds(tx, ann, circles.slice(0, 2))],
  ['the circles of an ended friendship', (tx: Pool) => queries.deleteMembersOf(tx as never, friendship, now)],
  ['the export', (tx: Pool) => queries.listExported(tx, ann)],
])('%s are found with an index', async (_name, ask) => {
  const plan = JSON.stringify(await planOf(db, (tx) => ask(tx as never)))
  expect(plan).toContain('Index')
  expect(plan).not.toContain('"Seq Scan"')
})

it.each([
  ['a new circle', (tx: never) => queries.insertCircle(tx, { ...fields(), circleId: newId<CircleId>() })],
  ['a changed circle', (tx: never) => queries.updateCircle(tx, { ...fields(), circleId: circles[0] as CircleId })],
])('%s scans no table', async (_name, write) => {
  const plans: unknown[] = []
  // The writes await their statement, so the plan is read from it.
  await db.begin(async (tx) => {
    const unsafe = async (text: string, values: never[], options: object) => {
      plans.push(await tx.unsafe(`explain (format json) ${text}`, values, options))
      return []
    }
    await write(Object.assign((() => undefined) as never, { unsafe }) as never)
  })
  expect(JSON.stringify(plans)).toContain('Index')
  expect(JSON.stringify(plans)).not.toContain('"Seq Scan"')
})

it('the compressed list has at most 10 KB for 20 circles of 10', async () => {
  const [circle] = await queries.listCircles(db, ann)
  const list = Array.from({ length: 20 }, (_, n) => ({
    ...circle,
    id: circles[n],
    name: `Close friends ${n}`,
    member_ids: people.slice(10 * n, 10 * n + 10),
  }))
  expect(gzipSync(JSON.stringify(list)).length).toBeLessThanOrEqual(10_240)
})
