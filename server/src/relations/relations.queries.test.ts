import type { UserId } from '@hither/contract/ids.ts'
import { beforeAll, expect, it } from 'vitest'
import { planOf } from '../../test/query-plans.ts'
import type { Pool } from '../platform/db/database.ts'
import { openRelationsPool } from './harness.ts'
import { listFriendIds } from './relations.queries.ts'

let db: Pool
let people: UserId[]

beforeAll(async () => {
  const opened = await openRelationsPool()
  ;({ db, people } = opened)
  return opened.close
})

it('the friends of a user are found in both directions with an index', async () => {
  const ann = people[0] as UserId
  const plan = JSON.stringify(await planOf(db, (tx) => listFriendIds(tx, ann)))
  expect(plan).toContain('Index')
  expect(plan).not.toContain('"Seq Scan"')
  const friends = [1, 2, 3, 4].flatMap((step) => [people[step], people.at(-step)])
  expect((await listFriendIds(db, ann))[0]?.ids.toSorted()).toEqual(friends.toSorted())
})
