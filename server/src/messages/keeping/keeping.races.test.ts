import type { Conversation } from '@hither/contract/messages/messages.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Person, receivedBy } from '../../../test/harness.ts'
import { race } from '../../../test/race.ts'
import type { Tx } from '../../platform/db/database.ts'
import { type Cast, startCast } from '../erasure/harness.ts'

let cast: Cast
let ann: Person
let bob: Person
let cat: Person
let chat: Conversation

beforeAll(async () => {
  cast = await startCast()
  ;({ ann, bob, cat } = cast)
})

beforeEach(async () => {
  ;({ chat } = await cast.pinChat())
})

afterEach(() => cast.clear())
afterAll(() => cast.server.close())

const lock = (tx: Tx) => tx`select 1 from chats where id = ${chat.id} for update`
const keep = (who: Person) => () => cast.chats.keep(chat.id, who)
const inOrder = (...calls: (() => Promise<{ status: number }>)[]) => race(cast.server.db, lock, ...calls)
const stored = async () => (await cast.chats.open(chat.id, ann)).body

describe('of two concurrent requests to keep a chat', () => {
  it('one member on two devices asks once, and the chat is not kept', async () => {
    const listener = await cast.server.listen(cat, ['chats', 'users'])
    expect((await inOrder(keep(bob), keep(bob))).map(({ status }) => status)).toEqual([200, 200])
    expect(await stored()).toMatchObject({ erase_at: chat.erase_at, keep_requests: { count: 1, is_mine: false } })
    expect(await receivedBy(cast.server, cat, listener)).toHaveLength(1)
    await listener.close()
  })

  it('those of two members keep the chat once', async () => {
    const listener = await cast.server.listen(ann, ['chats', 'users'])
    await inOrder(keep(bob), keep(cat))
    expect(await stored()).toMatchObject({ erase_at: null, keep_requests: null })
    const counts = (await receivedBy(cast.server, ann, listener)).map(({ new: row }) => [
      row['keep_count'],
      row['kept_at'],
    ])
    expect(counts).toEqual([
      [1, null],
      [0, expect.any(String)],
    ])
    await listener.close()
  })

  it.each([true, false])('one that is taken back, first: %s, does not count with the other', async (isBackFirst) => {
    await cast.chats.keep(chat.id, bob)
    const calls = [() => cast.chats.takeKeepBack(chat.id, bob), keep(cat)]
    await inOrder(...(isBackFirst ? calls : calls.reverse()))
    expect((await stored()).erase_at).toBe(isBackFirst ? chat.erase_at : null)
  })

  it('one of a member who leaves first does not count with the other', async () => {
    await cast.chats.keep(chat.id, bob)
    await inOrder(() => cast.chats.leave(chat.id, bob), keep(cat))
    expect(await stored()).toMatchObject({ erase_at: chat.erase_at, keep_requests: { count: 1 } })
  })
})
