import type { UserId } from '@hither/contract/ids.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { planOf } from '../../test/query-plans.ts'
import type { Pool } from '../platform/db/database.ts'
import { openRelationsPool } from '../relations/harness.ts'
import { listBlocked, listFriends, listReceivedRequests, listSentRequests } from './friends.queries.ts'

let db: Pool
let ann: UserId

beforeAll(async () => {
  const opened = await openRelationsPool()
  db = opened.db
  ann = opened.people[0] as UserId
  return opened.close
})

describe('with thousands of users, no sequential scan is planned', () => {
  const lists = { listFriends, listReceivedRequests, listSentRequests, listBlocked }
  it.each(Object.entries(lists))('for the query %s', async (_name, list) => {
    const plan = JSON.stringify(await planOf(db, (tx) => list(tx, ann)))
    expect(plan).toContain('Index')
    expect(plan).not.toContain('"Seq Scan"')
  })

  it('and the list of friends does not read the table of friendships', async () => {
    await db`vacuum friendships`
    const reads = (await planOf(db, (tx) => listFriends(tx, ann))).filter(
      (step) => step['Relation Name'] === 'friendships',
    )
    expect(reads.map((step) => step['Node Type'])).toEqual(['Index Only Scan', 'Index Only Scan'])
  })

  it('and the lists contain both sides', async () => {
    expect(await listFriends(db, ann)).toHaveLength(8)
    expect(await listSentRequests(db, ann)).toHaveLength(4)
    expect(await listReceivedRequests(db, ann)).toHaveLength(4)
    expect(await listBlocked(db, ann)).toHaveLength(4)
  })
})
