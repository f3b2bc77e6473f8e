import type { ConversationId, MessageId } from '@hither/contract/ids.ts'
import { messageFaults } from '@hither/contract/runtime/messages/messages.ts'
import { reactionLimits } from '@hither/contract/runtime/messages/reactions.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../../../test/harness.ts'
import { planOf } from '../../../test/query-plans.ts'
import { type Cast, friendsOnly, noMessage, startCast, unknownId } from '../harness.ts'
import { listReactions } from './reactions.queries.ts'

let cast: Cast
let ann: Person
let bob: Person
let cat: Person
let eve: Person
let id: ConversationId
let message: MessageId

beforeAll(async () => {
  cast = await startCast()
  ;({ ann, bob, cat, eve } = cast)
})

beforeEach(async () => {
  id = (await cast.group(ann, [bob, cat])).id
  message = (await cast.say(id, ann, 'See you at 8')).id
})

afterEach(() => cast.clear())
afterAll(() => cast.server.close())

const groupsOf = async (who: Person) => (await cast.open(id, who)).body.message_details.messages.at(-1)?.reactions

describe('a reaction', () => {
  it('is stored once for each person and message, and changes with the next emoji', async () => {
    const created_at = cast.server.clock.now().toISOString()
    const reaction = { message_id: message, conversation_id: id, user_id: bob.id, username: 'bob', created_at }
    expect(await cast.react(message, bob, '👍')).toMatchObject({ status: 200, body: { ...reaction, emoji: '👍' } })
    cast.server.clock.advance(1000)
    const later = cast.server.clock.now().toISOString()
    expect((await cast.react(message, bob, '❤️')).body).toEqual({ ...reaction, emoji: '❤️', created_at: later })
    expect((await cast.reactions(message, cat)).body).toEqual([{ ...reaction, emoji: '❤️', created_at: later }])
    expect(await groupsOf(cat)).toEqual([{ emoji: '❤️', user_ids: [bob.id] }])
    expect((await cast.unreact(message, bob)).status).toBe(204)
    expect((await cast.unreact(message, bob)).status).toBe(204)
    expect((await cast.reactions(message, cat)).body).toEqual([])
  })

  it('is grouped by emoji in the order of the first reaction, and within an emoji by time', async () => {
    for (const [who, emoji] of [
      [cat, '😂'],
      [ann, '👍'],
      [bob, '😂'],
    ] as const) {
      await cast.react(message, who, emoji)
      cast.server.clock.advance(1000)
    }
    expect(await groupsOf(ann)).toEqual([
      { emoji: '😂', user_ids: [cat.id, bob.id] },
      { emoji: '👍', user_ids: [ann.id] },
    ])
    expect((await cast.reactions(message, ann)).body.map(({ user_id }) => user_id)).toEqual([cat.id, ann.id, bob.id])
  })

  it('accepts one emoji with skin tone, of a flag or of a family', async () => {
    for (const emoji of ['👍🏽', '🇺🇸', '👨‍👩‍👧‍👦', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '❤️‍🔥']) {
      expect((await cast.react(message, bob, emoji)).status).toBe(200)
      expect(await groupsOf(ann)).toEqual([{ emoji, user_ids: [bob.id] }])
    }
  })

  it('refuses what is not one emoji', async () => {
    const fault = { loc: ['body', 'emoji'], msg: messageFaults.emoji_invalid, type: 'emoji_invalid' }
    for (const emoji of ['a', '👍👍', '', ' 👍', '1', '👍'.repeat(17), '\u200d', 'x'.repeat(65)])
      expect(await cast.react(message, bob, emoji)).toMatchObject({ status: 422, body: { detail: [fault] } })
    for (const body of [{ emoji: 'x'.repeat(300) }, { emoji: `\0${'x'.repeat(300)}` }, { emoji: 7 }, {}])
      expect(
        await cast.server.request('PUT', `/api/messages/messages/${message}/reaction`, { body, as: bob }),
      ).toMatchObject({ status: 422, body: { detail: [fault] } })
    expect(await groupsOf(ann)).toEqual([])
  })

  it('of the 101st person is refused, while the first hundred can change theirs', async () => {
    await cast.react(message, bob)
    await cast.server.db`
      with person as (
        insert into users (id, email, email_key, username, username_key, created_at, updated_at)
        select gen_random_uuid(), 'many' || n, 'many' || n, 'many' || n, 'many' || n, now(), now()
        from generate_series(2, ${reactionLimits.perMessage}::int) n returning id
      )
      insert into message_reactions (message_id, user_id, emoji, created_at)
      select ${message}, id, '👍', now() from person`
    const full = {
      status: 409,
      body: { detail: "This message can't take more reactions.", code: 'too_many_reactions' },
    }
    expect(await cast.react(message, cat)).toMatchObject(full)
    expect((await cast.react(message, bob, '🙏')).status).toBe(200)
    await cast.unreact(message, bob)
    expect((await cast.react(message, cat)).status).toBe(200)
  })

  it('does not change the order of the list, unread counts and positions', async () => {
    const before = await cast.list(bob)
    cast.server.clock.advance(1000)
    await cast.react(message, cat)
    expect(await cast.list(bob)).toEqual(before)
  })
})

describe('a message that the caller does not see', () => {
  it('gets the same refusal of reactions as an unknown one', async () => {
    const [left] = [cat]
    const deleted = (await cast.say(id, ann, 'gone')).id
    await cast.erase(deleted, ann)
    await cast.leave(id, left)
    for (const [who, target] of [
      [bob, unknownId as MessageId],
      [bob, deleted],
      [eve, message],
      [left, message],
    ] as const) {
      expect(await cast.react(target, who)).toMatchObject(noMessage)
      expect(await cast.reactions(target, who)).toMatchObject(noMessage)
      expect((await cast.unreact(target, who)).status).toBe(204)
    }
    expect(await groupsOf(ann)).toEqual([])
    expect((await cast.server.request('PUT', `/api/messages/messages/${message}/reaction`)).status).toBe(401)
  })

  it('keeps the reaction of a former member, which the member cannot remove any more', async () => {
    await cast.react(message, cat)
    await cast.leave(id, cat)
    expect((await cast.unreact(message, cat)).status).toBe(204)
    expect(await groupsOf(ann)).toEqual([{ emoji: '👍', user_ids: [cat.id] }])
  })
})

describe('in a direct conversation', () => {
  it('former friends cannot react, but remove their reactions; a block hides the message', async () => {
    const direct = await cast.make(bob, [cat])
    const said = (await cast.say(direct.id, bob)).id
    await cast.react(said, cat)
    await cast.unfriend(bob, cat)
    expect(await cast.react(said, cat, '😢')).toMatchObject(friendsOnly)
    expect((await cast.unreact(said, cat)).status).toBe(204)
    expect((await cast.reactions(said, bob)).body).toEqual([])
    await cast.block(bob, cat)
    expect(await cast.react(said, cat)).toMatchObject(noMessage)
    expect(await cast.reactions(said, cat)).toMatchObject(noMessage)
    await cast.unblock(bob, cat)
    await cast.server.befriend(bob, cat)
  })
})

describe('a deleted message', () => {
  it('has no reactions in the database', async () => {
    await cast.react(message, bob)
    await cast.erase(message, ann)
    expect(await cast.server.db`select 1 from message_reactions where message_id = ${message}`).toEqual([])
  })
})

it('reads the reactions of a message without a scan', async () => {
  const steps = await planOf(cast.server.db, (tx) => listReactions(tx, ann.id, message, cast.server.clock.now()))
  const scans = steps.filter((step) => step['Relation Name'] === 'message_reactions')
  expect(scans.length).toBeGreaterThan(0)
  expect(scans.filter((step) => step['Node Type'] === 'Seq Scan')).toEqual([])
})
