import { type FriendRequestId, type FriendshipId, type UserId } from '@hither/contract/ids.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { openTestPool } from '../../test/harness.ts'
import { planOf } from '../../test/plans.ts'
import { type Pool } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { listBlocked, listFriendIds, listFriends, listReceivedRequests, listSentRequests } from './friends.queries.ts'

const people = Array.from({ length: 3000 }, () => newId<UserId>())
const [ann = newId<UserId>()] = people

let db: Pool

beforeAll(async () => {
  const opened = await openTestPool()
  db = opened.db
  await db`
    insert into users (id, email, username, created_at, updated_at)
    select id::uuid, n || '@example.org', 'user' || n, now(), now() from unnest(${people}::text[]) with ordinality as p (id, n)`
  // Everyone knows the next four and has asked, been asked by and blocked as many more.
  const pairs = people.flatMap((a, index) =>
    [1, 2, 3, 4].map((step) => ({ a, b: people[(index + step) % people.length] as UserId })),
  )
  const [a, b] = [pairs.map((pair) => pair.a), pairs.map((pair) => pair.b)]
  const [friendships, requests] = [pairs.map(() => newId<FriendshipId>()), pairs.map(() => newId<FriendRequestId>())]
  await db`
    insert into friendships select p.id::uuid, p.a::uuid, p.b::uuid, now()
    from unnest(${friendships}::text[], ${a}::text[], ${b}::text[]) as p (id, a, b)`
  await db`
    insert into friend_requests select p.id::uuid, p.a::uuid, p.b::uuid, now()
    from unnest(${requests}::text[], ${a}::text[], ${b}::text[]) as p (id, a, b)`
  await db`insert into blocks select p.a::uuid, p.b::uuid, now() from unnest(${a}::text[], ${b}::text[]) as p (a, b)`
  await db`analyze`
  return opened.close
})

describe('with thousands of people, no table is read from end to end', () => {
  const lists = { listFriendIds, listFriends, listReceivedRequests, listSentRequests, listBlocked }
  it.each(Object.entries(lists))('by %s', async (_name, list) => {
    const plan = JSON.stringify(await planOf(db, (db) => list(db, ann)))
    expect(plan).toContain('Index')
    expect(plan).not.toContain('"Seq Scan"')
  })

  it('and the lists hold both sides', async () => {
    expect((await listFriendIds(db, ann))[0]?.ids).toHaveLength(8)
    expect(await listFriends(db, ann)).toHaveLength(8)
    expect(await listSentRequests(db, ann)).toHaveLength(4)
    expect(await listReceivedRequests(db, ann)).toHaveLength(4)
    expect(await listBlocked(db, ann)).toHaveLength(4)
  })
})
