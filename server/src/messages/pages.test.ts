import type { ConversationId, MessageId } from '@hither/contract/ids.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Person } from '../../test/harness.ts'
import { type Cast, noConversation, noMessage, startCast, unknownId } from './harness.ts'

const count = 1000
const middle = 500
const deleted = 700

let cast: Cast
let ann: Person
let eve: Person
let id: ConversationId
let idOf: (seq: number) => MessageId

beforeAll(async () => {
  cast = await startCast()
  ;({ ann, eve } = cast)
  id = (await cast.group(ann, [cast.bob, cast.cat])).id
  const rows = await cast.server.db<{ id: MessageId }[]>`
    insert into messages (id, chat_id, seq, sender_id, content, created_at, search)
    select gen_random_uuid(), ${id}, s, ${ann.id}, 'message ' || s, now() + make_interval(secs => s), ''
    from generate_series(1, ${count}::int) s returning id`
  await cast.server.db`update chats set last_seq = ${count} where id = ${id}`
  idOf = (seq) => rows[seq - 1]?.id ?? (unknownId as MessageId)
  await cast.erase(idOf(deleted), ann)
})

afterAll(() => cast.server.close())

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)
async function page(query: Parameters<Cast['open']>[2], who = ann) {
  const { messages, has_more, has_newer } = (await cast.open(id, who, query)).body.message_details
  return { seqs: messages.map(({ seq }) => seq), has_more, has_newer }
}

describe('a page around a message', () => {
  it('has the message, half of the others newer and the rest older', async () => {
    const more = { has_more: true, has_newer: true }
    expect(await page({ around: idOf(middle) })).toEqual({ seqs: range(490, 509), ...more })
    expect(await page({ around: idOf(middle), limit: 5 })).toEqual({ seqs: range(498, 502), ...more })
    expect(await page({ around: idOf(middle), limit: 1 })).toEqual({ seqs: [500], ...more })
    expect(await page({ around: idOf(middle), limit: 2 })).toEqual({ seqs: [499, 500], ...more })
  })

  it('is filled with older messages near the end, and has fewer near the beginning', async () => {
    expect(await page({ around: idOf(count) })).toEqual({ seqs: range(981, 1000), has_more: true, has_newer: false })
    expect(await page({ around: idOf(998) })).toEqual({ seqs: range(981, 1000), has_more: true, has_newer: false })
    expect(await page({ around: idOf(991) })).toEqual({ seqs: range(981, 1000), has_more: true, has_newer: false })
    expect(await page({ around: idOf(990) })).toEqual({ seqs: range(980, 999), has_more: true, has_newer: true })
    expect(await page({ around: idOf(1) })).toEqual({ seqs: range(1, 10), has_more: false, has_newer: true })
    expect(await page({ around: idOf(11) })).toEqual({ seqs: range(1, 20), has_more: false, has_newer: true })
    expect(await page({ around: idOf(12) })).toEqual({ seqs: range(2, 21), has_more: true, has_newer: true })
  })

  it('shows the neighbors of a deleted message', async () => {
    const seqs = range(689, 709).filter((seq) => seq !== deleted)
    expect(await page({ around: idOf(deleted) })).toEqual({ seqs, has_more: true, has_newer: true })
  })
})

describe('a page after a message', () => {
  it('has the oldest of the newer messages', async () => {
    expect(await page({ after: idOf(middle) })).toEqual({ seqs: range(501, 520), has_more: true, has_newer: true })
    expect(await page({ after: idOf(995) })).toEqual({ seqs: range(996, 1000), has_more: true, has_newer: false })
    expect(await page({ after: idOf(980) })).toEqual({ seqs: range(981, 1000), has_more: true, has_newer: false })
    expect(await page({ after: idOf(count) })).toEqual({ seqs: [], has_more: true, has_newer: false })
    expect(await page({ after: idOf(deleted), limit: 2 })).toEqual({
      seqs: [701, 702],
      has_more: true,
      has_newer: true,
    })
  })
})

describe('a page of the newest messages, or of those before one', () => {
  it('says whether newer ones exist', async () => {
    expect(await page({})).toEqual({ seqs: range(981, 1000), has_more: true, has_newer: false })
    expect(await page({ offset: 5, limit: 2 })).toEqual({ seqs: [994, 995], has_more: true, has_newer: true })
    expect(await page({ before: idOf(3) })).toEqual({ seqs: [1, 2], has_more: false, has_newer: true })
  })
})

describe('the pages of a conversation', () => {
  it('are the same as slices of its list, for any message, direction and limit', async () => {
    const all = range(1, count).filter((seq) => seq !== deleted)
    const some = fc.record({
      seq: fc.oneof(
        fc.integer({ min: 1, max: 25 }),
        fc.integer({ min: 690, max: 710 }),
        fc.integer({ min: 975, max: count }),
      ),
      limit: fc.integer({ min: 1, max: 30 }),
      direction: fc.constantFrom('before', 'after', 'around'),
    })
    await fc.assert(
      fc.asyncProperty(some, async ({ seq, limit, direction }) => {
        const older = all.filter((other) => other < seq || (direction === 'around' && other === seq))
        const newer = all.filter((other) => other > seq)
        const newerShown =
          direction === 'before' ? [] : newer.slice(0, direction === 'after' ? limit : Math.floor((limit - 1) / 2))
        const olderMax = direction === 'after' ? 0 : limit - newerShown.length
        const olderShown = olderMax > 0 ? older.slice(-olderMax) : []
        const hasThis = direction !== 'around' && all.includes(seq)
        expect(await page({ [direction]: idOf(seq), limit })).toEqual({
          seqs: [...olderShown, ...newerShown],
          has_more: older.length > olderShown.length || (direction === 'after' && hasThis),
          has_newer: newer.length > newerShown.length || (direction === 'before' && hasThis),
        })
      }),
      { numRuns: 60 },
    )
  })
})

describe('a page is refused', () => {
  it('for a message of another conversation or an unknown one, and to strangers', async () => {
    const other = await cast.make(ann, [cast.bob])
    const elsewhere = (await cast.say(other.id, ann)).id
    for (const direction of ['before', 'after', 'around'])
      for (const anchor of [elsewhere, unknownId])
        expect(await cast.open(id, ann, { [direction]: anchor })).toMatchObject(noMessage)
    expect(await cast.open(id, eve, { around: idOf(middle) })).toMatchObject(noConversation)
  })

  it('with two of before, after, around and an offset', async () => {
    const [a, b] = [idOf(1), idOf(2)]
    for (const query of [
      { before: a, after: b },
      { around: a, after: b },
      { before: a, around: b },
      { around: a, offset: 1 },
      { after: a, offset: 1 },
      { before: a, offset: 1 },
    ])
      expect((await cast.open(id, ann, query)).status).toBe(422)
    expect((await cast.open(id, ann, { around: a, offset: 0 })).status).toBe(200)
  })
})
