import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Listener, type Person } from '../../test/harness.ts'
import { type Cast, heardBy, minuteMs, startCast } from './harness.ts'
import { rowOf } from './pings.service.ts'

let cast: Cast
let ann: Person
let bob: Person
let cat: Person
let eve: Person
let listeners: Listener[]

beforeAll(async () => {
  cast = await startCast()
  ;({ ann, bob, cat, eve } = cast)
})

afterAll(() => cast.server.close())

beforeEach(async () => {
  const tables = ['location_pins', 'ping_responses', 'users'] as const
  listeners = await Promise.all([ann, bob, cat, eve].map((person) => cast.server.listen(person, tables)))
})

afterEach(async () => {
  await Promise.all(listeners.map((listener) => listener.close()))
  await cast.clear()
})

/** What ann, bob, cat and eve have heard since the test began, as `table type row`, shortened. */
async function heard() {
  const all = await Promise.all(
    [ann, bob, cat, eve].map((person, index) => heardBy(cast.server, person, listeners[index] as Listener)),
  )
  return all.map((changes) =>
    changes.map(({ table, eventType, new: record, old }) => {
      const row = eventType === 'DELETE' ? old : record
      const what = table === 'location_pins' ? row['status'] : `${row['username']} ${row['response_type']}`
      return `${table === 'location_pins' ? 'ping' : 'answer'} ${eventType} ${what}`
    }),
  )
}

/** From now on only what comes next is heard. */
async function forget() {
  await heard()
  for (const listener of listeners) (listener.heard as unknown[]).length = 0
}

describe('a new ping', () => {
  it('is told to its owner and its guests as they would read it, and to nobody else', async () => {
    const ping = await cast.drop(ann, { recipient_ids: [bob.id], is_public: true, message: 'Come' })
    const [toAnn, toBob, toCat, toEve] = await heard()
    expect([toAnn, toBob, toCat, toEve]).toEqual([['ping INSERT active'], ['ping INSERT active'], [], []])
    for (const listener of listeners.slice(0, 2)) {
      expect(listener.heard.find(({ table }) => table === 'location_pins')?.new).toEqual(rowOf(ping))
    }
  })

  it('that is refused is not told', async () => {
    await cast.create(ann, { recipient_ids: [eve.id] })
    await cast.create(ann, { name: ' ' })
    expect(await heard()).toEqual([[], [], [], []])
  })
})

describe('time', () => {
  it('tells the owner and the guests of the activation and of the expiry, each once', async () => {
    await cast.drop(ann, {
      recipient_ids: [bob.id],
      activates_at: cast.ahead(5),
      duration_minutes: 15,
      is_public: true,
    })
    await forget()
    const { pingJobs } = cast.server.app
    cast.server.clock.advance(5 * minuteMs - 1)
    await pingJobs.runDue()
    expect(await heard()).toEqual([[], [], [], []])
    cast.server.clock.advance(1)
    await pingJobs.runDue()
    await pingJobs.runDue()
    expect(await heard()).toEqual([['ping UPDATE active'], ['ping UPDATE active'], [], []])
    cast.server.clock.advance(15 * minuteMs)
    await pingJobs.runDue()
    await pingJobs.runDue()
    const told = ['ping UPDATE active', 'ping UPDATE expired']
    expect(await heard()).toEqual([told, told, [], []])
  })

  it('tells of a ping that is past both of its times as expired, once, and never as active', async () => {
    await cast.drop(ann, { recipient_ids: [bob.id], activates_at: cast.ahead(5) })
    await forget()
    cast.server.clock.advance(120 * minuteMs)
    await cast.server.app.pingJobs.runDue()
    expect(await heard()).toEqual([['ping UPDATE expired'], ['ping UPDATE expired'], [], []])
  })

  it('tells nothing to whoever has stopped being a friend', async () => {
    await cast.drop(ann)
    await cast.unfriend(ann, bob)
    await forget()
    cast.server.clock.advance(30 * minuteMs)
    await cast.server.app.pingJobs.runDue()
    expect(await heard()).toEqual([['ping UPDATE expired'], [], ['ping UPDATE expired'], []])
    await cast.server.befriend(ann, bob)
  })
})

describe('a deleted ping', () => {
  it('vanishes for all who saw it, and the answers with it for all who saw those', async () => {
    const ping = await cast.drop(ann, { responses_visible: false })
    await cast.respond(ping.id, 'accepted', bob)
    await forget()
    await cast.remove(ping.id, ann)
    const answer = 'answer DELETE bob accepted'
    const gone = 'ping DELETE active'
    expect(await heard()).toEqual([[answer, gone], [answer, gone], [gone], []])
  })

  it('is not told where it was not the caller’s to delete', async () => {
    const ping = await cast.drop(ann)
    await forget()
    await cast.remove(ping.id, bob)
    await cast.remove(ping.id, eve)
    expect(await heard()).toEqual([[], [], [], []])
  })
})

describe('an answer', () => {
  it('is told to the owner and all guests where those see each other’s', async () => {
    const { id } = await cast.drop(ann, { is_public: true })
    await forget()
    await cast.respond(id, 'tentative', bob)
    await cast.respond(id, 'accepted', bob)
    await cast.takeBack(id, bob)
    await cast.takeBack(id, bob)
    const told = ['answer INSERT bob tentative', 'answer UPDATE bob accepted', 'answer DELETE bob accepted']
    expect(await heard()).toEqual([told, told, told, []])
  })

  it('is else told to the owner and the one who gave it', async () => {
    const { id } = await cast.drop(ann, { responses_visible: false })
    await forget()
    await cast.respond(id, 'declined', bob)
    await cast.takeBack(id, bob)
    const told = ['answer INSERT bob declined', 'answer DELETE bob declined']
    expect(await heard()).toEqual([told, told, [], []])
  })

  it('that is refused is not told, nor is one taken back that nobody could see any more', async () => {
    const { id } = await cast.drop(ann, { is_public: true })
    await cast.respond(id, 'accepted', bob)
    await cast.unfriend(ann, bob)
    await forget()
    await cast.respond(id, 'accepted', eve)
    await cast.respond(id, 'accepted', ann)
    await cast.takeBack(id, bob)
    expect(await heard()).toEqual([[], [], [], []])
    await cast.server.befriend(ann, bob)
  })
})

describe('losing and regaining sight', () => {
  it('takes the ping from the friend who went, with all answers, and theirs from everyone', async () => {
    const { id } = await cast.drop(ann)
    await cast.respond(id, 'accepted', bob)
    cast.server.clock.advance(1)
    await cast.respond(id, 'declined', cat)
    await forget()
    await cast.unfriend(bob, ann)
    const theirs = 'answer DELETE bob accepted'
    expect(await heard()).toEqual([
      [theirs],
      [theirs, 'answer DELETE cat declined', 'ping DELETE active'],
      [theirs],
      [],
    ])
    await forget()
    await cast.server.befriend(bob, ann)
    const back = 'answer INSERT bob accepted'
    expect(await heard()).toEqual([[back], ['ping INSERT active', back, 'answer INSERT cat declined'], [back], []])
  })

  it('moves only what that person saw', async () => {
    const hidden = await cast.drop(ann, { responses_visible: false })
    await cast.respond(hidden.id, 'declined', cat)
    await cast.drop(ann, { recipient_ids: [cat.id] })
    await cast.drop(bob, { recipient_ids: [ann.id] })
    await forget()
    await cast.block(ann, bob)
    expect(await heard()).toEqual([['ping DELETE active'], ['ping DELETE active'], [], []])
    await cast.unblock(ann, bob)
    expect(await heard()).toEqual([['ping DELETE active'], ['ping DELETE active'], [], []])
    await forget()
    await cast.server.befriend(ann, bob)
    expect(await heard()).toEqual([['ping INSERT active'], ['ping INSERT active'], [], []])
  })

  it('takes an expired ping away too, but does not bring it back as if it were new', async () => {
    await cast.drop(ann, { recipient_ids: [bob.id] })
    cast.server.clock.advance(60 * minuteMs)
    await forget()
    await cast.unfriend(ann, bob)
    expect(await heard()).toEqual([[], ['ping DELETE expired'], [], []])
    await forget()
    await cast.server.befriend(ann, bob)
    expect(await heard()).toEqual([[], [], [], []])
  })
})
