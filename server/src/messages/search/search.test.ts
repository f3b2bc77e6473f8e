import type { ConversationId } from '@hither/contract/ids.ts'
import { searchMessages } from '@hither/contract/messages/message-search.ts'
import type { Input } from '@hither/contract/operation.ts'
import { messageFaults } from '@hither/contract/runtime/messages/messages.ts'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Person, runsFor } from '../../../test/harness.ts'
import { type Cast, noConversation, startCast, unknownId } from '../harness.ts'

let cast: Cast
let ann: Person
let bob: Person
let cat: Person
let dan: Person
let eve: Person
let id: ConversationId

beforeAll(async () => {
  cast = await startCast()
  ;({ ann, bob, cat, dan, eve } = cast)
})

beforeEach(async () => {
  id = (await cast.group(ann, [bob, cat])).id
})

afterEach(() => cast.clear())
afterAll(() => cast.server.close())

type Query = Input<typeof searchMessages>['body']
const search = (who: Person, q: string, more: Partial<Query> = {}) =>
  cast.server.call(searchMessages, { body: { q, ...more } }, who)
const found = async (who: Person, q: string, more: Partial<Query> = {}) =>
  (await search(who, q, more)).body.messages.map(({ content }) => content)

async function restoreFriends(): Promise<void> {
  await cast.server.db`truncate blocks, friendships, friend_requests cascade`
  for (const [a, b] of [
    [ann, bob],
    [ann, cat],
    [bob, cat],
    [ann, dan],
  ] as const)
    await cast.server.befriend(a, b)
}

describe('a search', () => {
  it('finds the beginnings of words in any order and case, newest first', async () => {
    for (const text of ['Dinner at Nero tonight', 'nothing', 'ÉCOLE “quoted” don’t', 'Nero for dinner?']) {
      await cast.say(id, ann, text)
      cast.server.clock.advance(1000)
    }
    expect(await found(bob, 'din')).toEqual(['Nero for dinner?', 'Dinner at Nero tonight'])
    expect(await found(bob, 'NERO din')).toEqual(['Nero for dinner?', 'Dinner at Nero tonight'])
    expect(await found(bob, 'tonight nero')).toEqual(['Dinner at Nero tonight'])
    expect(await found(bob, 'éco quot')).toEqual(['ÉCOLE “quoted” don’t'])
    expect(await found(bob, '“Quoted”')).toEqual(['ÉCOLE “quoted” don’t'])
    expect(await found(bob, 'inner')).toEqual([])
    expect(await found(bob, 'ecole')).toEqual([])
    expect(await found(bob, 'dinner lunch')).toEqual([])
  })

  it('finds words after punctuation of any language, an emoji or a no-break space', async () => {
    const texts = [
      '¡Hola! ¿Cena?',
      '🎉party',
      '❤️dinner',
      '1️⃣lunch',
      'at\u00a0Nero',
      '電話。明日',
      'x→y2',
      'eve@example.org',
    ]
    for (const text of texts) await cast.say(id, ann, text)
    const queries = ['hola cena', 'party', 'din', 'lunch', 'nero', '明日', 'y2', 'example']
    for (const [index, query] of queries.entries()) expect(await found(bob, query)).toEqual([texts[index]])
  })

  it('finds the same word in another normal form, width or case', async () => {
    const spellings = [
      ['Cafe\u0301 Tacuba', 'caf\u00e9', 'cafe\u0301', 'CAFE\u0301'],
      [
        '\u03a3\u038a\u03a3\u03a5\u03a6\u039f\u03a3',
        '\u03c3\u03af\u03c3\u03c5\u03c6\u03bf\u03c2',
        '\u03c3\u03b9\u0301\u03c3\u03c5\u03c6\u03bf\u03c3',
      ],
      ['\uff26\uff35\uff2c\uff2c width', 'full', '\uff46\uff55\uff4c', 'WIDTH'],
      ['Stra\u00dfe', 'STRASSE', 'stra\u00df', '\u017ftra'],
      ['\u0130stanbul', 'istanbul', 'ISTANBUL', 'I\u0307stanbul'],
      ['\u1112\u1161\u11ab\u1100\u116e\u11a8', '\ud55c\uad6d'],
      ['un\u00adbe\u200bliev\u2060able', 'unbelievable'],
    ]
    for (const [text = ''] of spellings) await cast.say(id, ann, text)
    for (const [text, ...queries] of spellings)
      for (const query of queries) expect(await found(bob, query), query).toEqual([text])
  })

  it('finds every part of a text in a script without spaces', async () => {
    const texts = [
      '\u660e\u65e5\u306e\u96fb\u8a71\u3092\u5f85\u3064',
      '\u30e9\u30fc\u30e1\u30f3\u5c4b\u3067\uff13\u6642',
      '\u0e40\u0e08\u0e2d\u0e01\u0e31\u0e19\u0e1e\u0e23\u0e38\u0e48\u0e07\u0e19\u0e35\u0e49',
    ]
    for (const text of texts) await cast.say(id, ann, text)
    expect(await found(bob, '\u96fb\u8a71')).toEqual([texts[0]])
    expect(await found(bob, '\u65e5\u306e\u96fb\u8a71')).toEqual([texts[0]])
    expect(await found(bob, '\u660e\u65e5 \u96fb')).toEqual([texts[0]])
    expect(await found(bob, '\u660e\u96fb')).toEqual([])
    expect(await found(bob, '\uff97\uff70\uff92\uff9d 3\u6642')).toEqual([texts[1]])
    expect(await found(bob, '\u0e1e\u0e23\u0e38\u0e48\u0e07\u0e19\u0e35\u0e49')).toEqual([texts[2]])
  })

  it('returns complete messages', async () => {
    const original = await cast.say(id, bob, 'Dinner?')
    const { body } = await cast.post(id, ann, { content: 'Dinner!', reply_to_id: original.id })
    await cast.react(body.message.id, bob)
    const [message] = (await search(bob, 'dinner')).body.messages
    expect(message).toEqual((await cast.open(id, bob)).body.message_details.messages.at(-1))
    expect(message).toMatchObject({ reply_to: { id: original.id }, reactions: [{ user_ids: [bob.id] }] })
  })

  it('finds captions and names of places, but no addresses', async () => {
    const place = { latitude: 1, longitude: 2, name: 'Coffee at Nero', address: 'Mainstreet' }
    await cast.post(id, ann, { content: 'Here!', place })
    expect(await found(bob, 'coffee here')).toEqual(['Here!'])
    expect(await found(bob, 'mainstreet')).toEqual([])
  })

  it('can be limited to one conversation, which the caller must see', async () => {
    const other = await cast.group(ann, [bob, cat])
    await cast.say(id, ann, 'dinner here')
    await cast.say(other.id, ann, 'dinner there')
    expect(await found(bob, 'dinner', { conversation_id: id })).toEqual(['dinner here'])
    for (const conversation_id of [id, unknownId as ConversationId])
      expect(await search(eve, 'dinner', { conversation_id })).toMatchObject(noConversation)
  })

  it('finds what was written before a member joined, as the page shows it', async () => {
    await cast.say(id, bob, 'dinner')
    expect(await found(dan, 'dinner')).toEqual([])
    await cast.add(id, ann, dan)
    expect(await found(dan, 'dinner')).toEqual(['dinner'])
  })

  it('finds long words by their beginning', async () => {
    const text = `${'é'.repeat(1023)} ${'x'.repeat(1500)}`
    await cast.say(id, ann, text)
    expect(await found(bob, 'x'.repeat(100))).toEqual([text])
    expect(await found(bob, 'ééé')).toEqual([text])
  })

  it('waits for an earlier one of the same person, and is refused if many wait', async () => {
    let searches: Promise<number>[] = []
    await cast.server.db.begin(async (tx) => {
      await tx`lock table messages in access exclusive mode`
      searches = Array.from({ length: 10 }, async () => (await search(ann, 'dinner')).status)
      expect(await Promise.race(searches)).toBe(503)
      // The refusal of the others may arrive before the first search has reached the lock.
      const countWaiting = async () => {
        const [waiting] = await tx<[{ count: number }]>`
          select count(*)::int as count from pg_locks where relation = 'messages'::regclass and not granted`
        return waiting.count
      }
      await expect.poll(countWaiting, { interval: 20, timeout: 60_000 }).toBe(1)
    })
    await Promise.all(searches)
    expect((await search(ann, 'dinner')).status).toBe(200)
  })

  it('includes archived conversations', async () => {
    await cast.say(id, ann, 'dinner')
    await cast.archive(id, bob)
    expect(await found(bob, 'dinner')).toEqual(['dinner'])
  })

  it('follows edits and deletions at once', async () => {
    const { id: message } = await cast.say(id, ann, 'dinner')
    await cast.edit(message, ann, 'lunch')
    expect([await found(bob, 'dinner'), await found(bob, 'lunch')]).toEqual([[], ['lunch']])
    await cast.erase(message, ann)
    expect(await found(bob, 'lunch')).toEqual([])
    const [row] = await cast.server.db`select search from messages where id = ${message}`
    expect(row).toEqual({ search: '' })
  })

  it('finds the name of a place after its caption was edited', async () => {
    const place = { latitude: 1, longitude: 2, name: 'Nero' }
    const { body } = await cast.post(id, ann, { content: 'Here!', place })
    await cast.edit(body.message.id, ann, 'There!')
    expect([await found(bob, 'nero'), await found(bob, 'here')]).toEqual([['There!'], []])
  })

  it('finds messages of an earlier version once their words are made again, and those edited meanwhile', async () => {
    await cast.post(id, ann, { content: 'Cafe\u0301', place: { latitude: 1, longitude: 2, name: 'N\u00e9ro' } })
    const { id: edited } = await cast.say(id, ann, 'dinner')
    await cast.server.db`update messages set search = '', words_outdated = true`
    await cast.edit(edited, ann, 'lunch')
    expect([await found(bob, 'caf\u00e9'), await found(bob, 'lunch')]).toEqual([[], ['lunch']])
    await cast.server.app.wordJobs.runDue()
    expect([await found(bob, 'caf\u00e9 ne\u0301ro'), await found(bob, 'lunch')]).toEqual([['Cafe\u0301'], ['lunch']])
    expect(await cast.server.db`select 1 from messages where words_outdated`).toEqual([])
  })
})

describe('a search does not find', () => {
  it('messages for strangers, former and removed members', async () => {
    await cast.say(id, ann, 'dinner')
    await cast.leave(id, cat)
    await cast.remove(id, ann, bob)
    for (const who of [eve, cat, bob]) expect(await found(who, 'dinner')).toEqual([])
    expect(await found(ann, 'dinner')).toEqual(['dinner'])
    expect((await cast.server.request('GET', '/api/messages/search?q=dinner')).status).toBe(401)
  })

  it('messages of a direct conversation that a block hides, for either person', async () => {
    const direct = await cast.make(ann, [dan])
    await cast.say(direct.id, ann, 'dinner')
    await cast.block(dan, ann)
    for (const who of [ann, dan]) {
      expect(await found(who, 'dinner')).toEqual([])
      expect(await search(who, 'dinner', { conversation_id: direct.id })).toMatchObject(noConversation)
    }
    await cast.unblock(dan, ann)
    await cast.server.befriend(ann, dan)
  })

  it('messages in groups of people whom the caller has blocked, while the blocked person finds theirs', async () => {
    await cast.say(id, bob, 'dinner by bob')
    await cast.say(id, ann, 'dinner by ann')
    await cast.block(ann, bob)
    expect(await found(ann, 'dinner')).toEqual(['dinner by ann'])
    expect(await found(bob, 'dinner')).toEqual(['dinner by ann', 'dinner by bob'])
    await cast.unblock(ann, bob)
    await cast.server.befriend(ann, bob)
  })

  it('anything but messages that its caller may read, after any sequence of changes', async () => {
    const people = [ann, bob, cat]
    const pick = fc.constantFrom(0, 1, 2)
    const steps = fc.array(
      fc.oneof(
        fc.record({ kind: fc.constant('say' as const), who: pick }),
        fc.record({ kind: fc.constant('erase' as const), who: pick }),
        fc.record({ kind: fc.constant('leave' as const), who: pick }),
        fc.record({ kind: fc.constant('add' as const), who: pick }),
        fc.record({ kind: fc.constant('block' as const), who: pick, other: pick }),
        fc.record({ kind: fc.constant('unblock' as const), who: pick, other: pick }),
      ),
      { maxLength: 12 },
    )
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        await cast.clear()
        await restoreFriends()
        const direct = await cast.make(dan, [ann])
        const group = await cast.group(ann, [bob, cat])
        await cast.say(direct.id, dan, 'dinner of dan')
        const person = (index: number) => people[index] ?? ann
        const last: { id: Parameters<Cast['erase']>[0] }[] = []
        for (const step of sequence) {
          const who = person(step.who)
          if (step.kind === 'say') {
            const { status, body } = await cast.send(group.id, who, 'dinner')
            if (status === 201) last.push(body.message)
          } else if (step.kind === 'erase') {
            const message = last.at(-1)
            if (message) await cast.erase(message.id, who)
          } else if (step.kind === 'leave') await cast.leave(group.id, who)
          else if (step.kind === 'add') await cast.add(group.id, ann, who)
          else if (who !== person(step.other)) await cast[step.kind](who, person(step.other))
        }
        for (const who of [...people, dan, eve]) {
          const readable: string[] = []
          const blocked = await cast.server.db<{ id: string }[]>`
            select blocked_id as id from blocks where blocker_id = ${who.id}`
          for (const { id: conversation } of await cast.list(who)) {
            const { messages } = (await cast.open(conversation, who, { limit: 100 })).body.message_details
            for (const message of messages)
              if (!blocked.some(({ id: sender }) => sender === message.sender_id)) readable.push(message.id)
          }
          const shown = (await search(who, 'dinner', { limit: 50 })).body.messages.map((message) => message.id)
          expect(shown.toSorted()).toEqual(readable.toSorted())
        }
      }),
      { numRuns: runsFor(10) },
    )
    await restoreFriends()
    id = (await cast.group(ann, [bob, cat])).id
  })
})

describe('a search query', () => {
  it('is text without operators', async () => {
    await cast.say(id, ann, "it's 100% O'Neil <b> a:b c\\d")
    for (const q of [
      "' | !zz <-> b:*",
      "O'Ne",
      '100%',
      '"100"',
      '(it',
      'a:b',
      'c\\d',
      '<b>',
      '!it',
      'it & neil',
      "'it'",
      'it:*',
    ])
      expect([q, (await search(ann, q)).status]).toEqual([q, 200])
    expect(await found(ann, "O'Ne")).toHaveLength(1)
    expect(await found(ann, 'it & neil')).toHaveLength(1)
    expect(await found(ann, 'c\\d')).toHaveLength(1)
    expect(await found(ann, 'it | zzz')).toEqual([])
    expect(await found(ann, '!zzz')).toEqual([])
    expect((await search(ann, 'a '.repeat(50))).status).toBe(200)
  })

  it('of the wrong length or without a letter or number is refused', async () => {
    const fault = { loc: ['body', 'q'], msg: messageFaults.query_invalid, type: 'query_invalid' }
    for (const q of ['', ' ', 'a', ' a ', '😀😀', '%%', '??', 'x'.repeat(101), `${'a '.repeat(51)}b`])
      expect(await search(ann, q)).toMatchObject({ status: 422, body: { detail: [fault] } })
    for (const query of ['', 'q=a%00b', `q=${'x'.repeat(1001)}`])
      expect(await cast.server.request('GET', `/api/messages/search?${query}`, { as: ann })).toMatchObject({
        status: 422,
        body: { detail: [{ ...fault, loc: ['query', 'q'] }] },
      })
    for (const query of ['q=ab&limit=0', 'q=ab&limit=51', 'q=ab&limit=x', 'q=ab&conversation_id=x'])
      expect((await cast.server.request('GET', `/api/messages/search?${query}`, { as: ann })).status).toBe(422)
    expect((await search(ann, 'x'.repeat(100))).status).toBe(200)
  })

  it('never fails, whatever the text is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }), async (q) => {
        const { status } = await cast.server.request('GET', `/api/messages/search?q=${encodeURIComponent(q)}`, {
          as: ann,
        })
        expect([200, 422]).toContain(status)
      }),
      { numRuns: 60 },
    )
  })
})

describe('the pages of a search', () => {
  it('have no gap and no repetition while messages arrive', async () => {
    // Several messages have the same time.
    for (let sent = 1; sent <= 45; sent++) {
      await cast.say(id, ann, `dinner ${sent}`)
      if (sent % 7 === 0) cast.server.clock.advance(1000)
    }
    const pages: string[][] = []
    let cursor: string | null = null
    do {
      const { body } = await search(bob, 'dinner', cursor === null ? {} : { cursor })
      pages.push(body.messages.map(({ content }) => content))
      cursor = body.next_cursor
      await Promise.all(Array.from({ length: 25 }, () => cast.say(id, cat, 'dinner later')))
    } while (cursor !== null)
    expect(pages.map((page) => page.length)).toEqual([20, 20, 5])
    const expected = Array.from({ length: 45 }, (_, index) => `dinner ${index + 1}`)
    expect(pages.flat().toSorted()).toEqual(expected.toSorted())
  })

  it('are refused with a cursor that the server did not return', async () => {
    const encoded = (text: string) => Buffer.from(text).toString('base64url')
    const fault = { loc: ['body', 'cursor'], msg: messageFaults.cursor_invalid, type: 'cursor_invalid' }
    for (const cursor of [
      'x',
      '',
      'x'.repeat(2001),
      encoded('2026-13-45T00:00:00.000Z x'),
      encoded(`2026-11-21T00:00:00.000Z ${unknownId} x`),
      encoded(`0000-01-01T00:00:00.000Z ${unknownId}`),
      encoded(`+010000-01-01T00:00:00.000Z ${unknownId}`),
    ])
      expect(await search(ann, 'dinner', { cursor })).toMatchObject({ status: 422, body: { detail: [fault] } })
  })
})
