import type { ConversationId } from '@hither/contract/ids.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Listener, type Person, receivedBy } from '../../../test/harness.ts'
import { race } from '../../../test/race.ts'
import type { Tx } from '../../platform/db/database.ts'
import { type Cast, startCast } from '../harness.ts'

let cast: Cast
let ann: Person
let bob: Person
let id: ConversationId
let listener: Listener
let others: Listener

beforeAll(async () => {
  cast = await startCast()
  ;({ ann, bob } = cast)
})

beforeEach(async () => {
  id = (await cast.group(ann, [bob, cast.cat])).id
  listener = await cast.server.listen(ann, ['chats', 'users'])
  others = await cast.server.listen(bob, ['chats', 'users'])
})

afterEach(async () => {
  await Promise.all([listener.close(), others.close()])
  await cast.clear()
})
afterAll(() => cast.server.close())

const lock = (tx: Tx) => tx`select 1 from chats where id = ${id} for update`
const own = async () => {
  const { pinned_at, archived_at } = (await cast.open(id, ann)).body
  return { isPinned: pinned_at !== null, isArchived: archived_at !== null }
}
const shown = async (who: Person, from: Listener) =>
  (await receivedBy(cast.server, who, from)).map(({ eventType, new: row }) => ({
    eventType,
    isPinned: row['pinned_at'] !== null,
    isArchived: row['archived_at'] !== null,
  }))

describe('a pinned or archived conversation', () => {
  it('is announced to that member alone', async () => {
    await cast.pin(id, ann)
    await cast.pin(id, ann)
    await cast.archive(id, ann)
    await cast.unarchive(id, ann)
    expect(await shown(ann, listener)).toEqual([
      { eventType: 'UPDATE', isPinned: true, isArchived: false },
      { eventType: 'UPDATE', isPinned: false, isArchived: true },
      { eventType: 'UPDATE', isPinned: false, isArchived: false },
    ])
    expect(await shown(bob, others)).toEqual([])
  })

  it('is announced once when a message returns it', async () => {
    await cast.archive(id, ann)
    await cast.say(id, bob)
    const updates = await receivedBy(cast.server, ann, listener)
    expect(updates.map(({ new: row }) => [row['archived_at'] === null, row['unread_count']])).toEqual([
      [false, 0],
      [true, 1],
    ])
  })

  it('stays pinned in the update of a new message', async () => {
    await cast.pin(id, ann)
    await cast.say(id, bob)
    expect((await shown(ann, listener)).at(-1)).toMatchObject({ isPinned: true })
  })
})

describe('at the same moment', () => {
  it('a message that commits after the archive returns the conversation', async () => {
    await race<unknown>(
      cast.server.db,
      lock,
      () => cast.archive(id, ann),
      () => cast.say(id, bob),
    )
    expect(await own()).toEqual({ isPinned: false, isArchived: false })
  })

  it('a message that commits before the archive leaves it archived', async () => {
    await race<unknown>(
      cast.server.db,
      lock,
      () => cast.say(id, bob),
      () => cast.archive(id, ann),
    )
    expect(await own()).toEqual({ isPinned: false, isArchived: true })
  })

  it('two devices that pin and archive leave exactly one of the two', async () => {
    await race<unknown>(
      cast.server.db,
      lock,
      () => cast.pin(id, ann),
      () => cast.archive(id, ann),
    )
    expect(await own()).toEqual({ isPinned: false, isArchived: true })
    await race<unknown>(
      cast.server.db,
      lock,
      () => cast.archive(id, ann),
      () => cast.pin(id, ann),
    )
    expect(await own()).toEqual({ isPinned: true, isArchived: false })
    expect((await shown(ann, listener)).at(-1)).toMatchObject(await own())
  })

  it('two calls do not pin a sixth conversation', async () => {
    for (let pinned = 0; pinned < 4; pinned++) await cast.pin((await cast.group(ann, [bob, cast.cat])).id, ann)
    const fifth = (await cast.group(ann, [bob, cast.cat])).id
    const lockAnn = (tx: Tx) => tx`select 1 from users where id = ${ann.id} for update`
    const replies = await race(
      cast.server.db,
      lockAnn,
      () => cast.pin(id, ann),
      () => cast.pin(fifth, ann),
    )
    expect(replies.map(({ status }) => status)).toEqual([204, 409])
  })
})
