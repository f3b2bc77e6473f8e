import type { ConversationId, MessageId } from '@hither/contract/ids.ts'
import { messageFaults } from '@hither/contract/runtime/messages/messages.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../../../test/harness.ts'
import { type Cast, friendsOnly, noConversation, startCast, unknownId } from '../harness.ts'

let cast: Cast
let ann: Person
let bob: Person
let cat: Person
let eve: Person
let id: ConversationId

beforeAll(async () => {
  cast = await startCast()
  ;({ ann, bob, cat, eve } = cast)
})

beforeEach(async () => {
  id = (await cast.group(ann, [bob, cat])).id
})

afterEach(() => cast.clear())
afterAll(() => cast.server.close())

const unavailable = {
  status: 422,
  body: {
    detail: [{ loc: ['body', 'reply_to_id'], msg: messageFaults.reply_to_unavailable, type: 'reply_to_unavailable' }],
  },
}
const lastReplyOf = async (who: Person) => (await cast.open(id, who)).body.message_details.messages.at(-1)?.reply_to

describe('a reply', () => {
  it('quotes the message in its answer, on the page and in the feed', async () => {
    const listener = await cast.server.listen(cat, ['messages'])
    const original = await cast.say(id, ann, 'See you at 8')
    const { status, body } = await cast.post(id, bob, { content: 'Yes!', reply_to_id: original.id })
    expect(status).toBe(201)
    const quote = {
      ...{ id: original.id, seq: 1, sender_id: ann.id, sender_username: 'ann' },
      ...{ kind: 'text', shows: 'text', excerpt: 'See you at 8' },
    }
    expect(body.message.reply_to).toEqual(quote)
    expect(await lastReplyOf(cat)).toEqual(quote)
    expect((await listener.until(({ new: row }) => row['id'] === body.message.id)).new['reply_to']).toEqual(quote)
    await listener.close()
  })

  it('quotes at most 140 code points', async () => {
    const original = await cast.say(id, ann, '𝄞'.repeat(141))
    await cast.post(id, bob, { content: 'Yes!', reply_to_id: original.id })
    expect((await lastReplyOf(ann))?.excerpt).toBe('𝄞'.repeat(140))
  })

  it('shows the current text after an edit, and none after the deletion', async () => {
    const original = await cast.say(id, ann, 'See you at 8')
    const { body } = await cast.post(id, bob, { content: 'Yes!', reply_to_id: original.id })
    await cast.edit(original.id, ann, 'See you at 9')
    expect(await lastReplyOf(cat)).toMatchObject({ kind: 'text', excerpt: 'See you at 9' })
    await cast.erase(original.id, ann)
    const deleted = { id: original.id, seq: 1, sender_id: ann.id, kind: 'deleted', excerpt: null }
    expect(await lastReplyOf(cat)).toMatchObject(deleted)
    await cast.erase(body.message.id, bob)
    expect(await cast.server.db`select 1 from messages where reply_to_id is not null`).toEqual([])
  })

  it('names the deleted account of the quoted sender', async () => {
    const dora = await cast.server.signUp('dora')
    await cast.server.befriend(ann, dora)
    await cast.add(id, ann, dora)
    const original = await cast.say(id, dora, 'Bye')
    await cast.post(id, bob, { content: 'Oh', reply_to_id: original.id })
    await cast.eraseAccount(dora)
    expect(await lastReplyOf(cat)).toMatchObject({ sender_id: null, sender_username: 'Deleted user', excerpt: 'Bye' })
  })

  it('is refused for a message of another conversation, a deleted and an unknown one', async () => {
    const elsewhere = await cast.make(ann, [bob])
    const deleted = await cast.say(id, ann)
    await cast.erase(deleted.id, ann)
    const others = [(await cast.say(elsewhere.id, ann)).id, deleted.id, unknownId as MessageId]
    for (const reply_to_id of others)
      expect(await cast.post(id, bob, { content: 'Yes!', reply_to_id })).toMatchObject(unavailable)
    expect((await cast.open(id, ann)).body.message_details.messages).toEqual([])
  })

  it('that is repeated returns the first message, also if the quoted message was deleted since', async () => {
    const original = await cast.say(id, ann)
    const client_id = '01900000-0000-4000-8000-000000000001'
    const reply = { content: 'Yes!', reply_to_id: original.id, client_id }
    const first = await cast.post(id, bob, reply)
    await cast.erase(original.id, ann)
    const again = await cast.post(id, bob, reply)
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.body.message).toMatchObject({ id: first.body.message.id, reply_to: { kind: 'deleted' } })
  })

  it('is refused to strangers and to former friends', async () => {
    const direct = await cast.make(bob, [cat])
    const original = await cast.say(direct.id, bob)
    const reply = { content: 'Yes!', reply_to_id: original.id }
    expect(await cast.post(direct.id, eve, reply)).toMatchObject(noConversation)
    await cast.unfriend(bob, cat)
    expect(await cast.post(direct.id, cat, reply)).toMatchObject(friendsOnly)
    await cast.server.befriend(bob, cat)
  })
})
