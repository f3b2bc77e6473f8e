import type { ConversationId, MessageId } from '@hither/contract/ids.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Listener, type Person, receivedBy } from '../../../test/harness.ts'
import { race } from '../../../test/race.ts'
import type { Tx } from '../../platform/db/database.ts'
import { type Cast, startCast } from '../harness.ts'

let cast: Cast
let ann: Person
let bob: Person
let id: ConversationId
let message: MessageId
let listener: Listener

beforeAll(async () => {
  cast = await startCast()
  ;({ ann, bob } = cast)
})

beforeEach(async () => {
  id = (await cast.group(ann, [bob, cast.cat])).id
  message = (await cast.say(id, bob, 'one')).id
  listener = await cast.server.listen(ann, ['messages', 'users'])
})

afterEach(async () => {
  await listener.close()
  await cast.clear()
})
afterAll(() => cast.server.close())

const lock = (tx: Tx) => tx`select 1 from chats where id = ${id} for update`
const edit = (content: string) => async () => (await cast.edit(message, bob, content)).status
const erase = async () => (await cast.erase(message, bob)).status
/** A node that reads a change only after the deletion of its message reads a deletion in its place. */
const shownOrDeleted = (type: string, content: string) =>
  expect.toSatisfy(([eventType, text]) => (eventType === type && text === content) || (eventType === 'DELETE' && !text))
const received = async () =>
  (await receivedBy(cast.server, ann, listener)).map(({ eventType, new: row }) => [eventType, row['content']])

describe('an edit and a deletion at the same moment', () => {
  it('never leave a deleted message with a text, in either order', async () => {
    expect(await race(cast.server.db, lock, edit('two'), erase)).toEqual([200, 204])
    expect(await received()).toEqual([shownOrDeleted('UPDATE', 'two'), ['DELETE', undefined]])
    message = (await cast.say(id, bob, 'three')).id
    expect(await race(cast.server.db, lock, erase, edit('four'))).toEqual([204, 404])
    expect((await received()).slice(-2)).toEqual([shownOrDeleted('INSERT', 'three'), ['DELETE', undefined]])
    expect(await cast.server.db`select 1 from messages where deleted_at is not null and content <> ''`).toEqual([])
  })
})

describe('two edits from two devices', () => {
  it('end with the last event as the page has it', async () => {
    await race(cast.server.db, lock, edit('two'), edit('three'))
    const [last] = (await cast.open(id, ann)).body.message_details.messages
    expect((await received()).at(-1)).toEqual(['UPDATE', last?.content])
  })
})
