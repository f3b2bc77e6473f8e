import type { FriendRequestId, FriendshipId, UserId } from '@hither/contract/ids.ts'
import { openTestPool } from '../../test/harness.ts'
import { newId } from '../platform/db/ids.ts'

/**
 * Opens a database with 3000 users for tests of query plans. Each user has the next four as friends, and as many sent
 * requests, received requests and blocks.
 */
export async function openRelationsPool() {
  const people = Array.from({ length: 3000 }, () => newId<UserId>())
  const { db, close } = await openTestPool()
  await db`
    insert into users (id, email, email_key, username, username_key, created_at, updated_at)
    select id::uuid, n || '@example.org', n || '@example.org', 'user' || n, 'user' || n, now(), now()
    from unnest(${people}::text[]) with ordinality as p (id, n)`
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
  return { db, people, close }
}
