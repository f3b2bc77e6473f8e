import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Listener, type Person, receivedBy } from '../../test/harness.ts'
import { type Cast, minuteMs, startCast } from './harness.ts'
import { rowOf } from './pings.rules.ts'

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

/** What ann, bob, cat and eve have received since the test began, shortened to `table type row`. */
async function received() {
  const all = await Promise.all(
    [ann, bob, cat, eve].map((person, index) => receivedBy(cast.server, person, listeners[index] as Listener)),
  )
  return all.map((changes) =>
    changes.map(({ table, eventType, new: record, old }) => {
      const row = eventType === 'DELETE' ? old : record
      const what = table === 'location_pins' ? row['status'] : `${row['username']} ${row['response_type']}`
      return `${table === 'location_pins' ? 'ping' : 'answer'} ${eventType} ${what}`
    }),
  )
}

/** Ignores everything received so far. */
async function forget() {
  await received()
  for (const listener of listeners) (listener.received as unknown[]).length = 0
}

describe('a new ping', () => {
  it('is announced to its owner and its invitees as they would read it, and to nobody else', async () => {
    const ping = await cast.drop(ann, { recipient_ids: [bob.id], is_public: true, message: 'Come' })
    const [toAnn, toBob, toCat, toEve] = await received()
    expect([toAnn, toBob, toCat, toEve]).toEqual([['ping INSERT active'], ['ping INSERT active'], [], []])
    for (const listener of listeners.slice(0, 2)) {
      expect(listener.received.find(({ table }) => table === 'location_pins')?.new).toEqual(rowOf(ping))
    }
  })

  it('that is refused is not announced', async () => {
    await cast.create(ann, { recipient_ids: [eve.id] })
    await cast.create(ann, { name: ' ' })
    expect(await received()).toEqual([[], [], [], []])
  })
})

describe('the time of a ping', () => {
  it('announces the activation and the expiry to the owner and the invitees, each once', async () => {
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
    expect(await received()).toEqual([[], [], [], []])
    cast.server.clock.advance(1)
    await pingJobs.runDue()
    await pingJobs.runDue()
    expect(await received()).toEqual([['ping UPDATE active'], ['ping UPDATE active'], [], []])
    cast.server.clock.advance(15 * minuteMs)
    await pingJobs.runDue()
    await pingJobs.runDue()
    const announcements = ['ping UPDATE active', 'ping UPDATE expired']
    expect(await received()).toEqual([announcements, announcements, [], []])
  })

  it('announces a ping past both of its times as expired, once, and never as active', async () => {
    await cast.drop(ann, { recipient_ids: [bob.id], activates_at: cast.ahead(5) })
    await forget()
    cast.server.clock.advance(120 * minuteMs)
    await cast.server.app.pingJobs.runDue()
    expect(await received()).toEqual([['ping UPDATE expired'], ['ping UPDATE expired'], [], []])
  })

  it('announces nothing to a former friend', async () => {
    await cast.drop(ann)
    await cast.unfriend(ann, bob)
    await forget()
    cast.server.clock.advance(30 * minuteMs)
    await cast.server.app.pingJobs.runDue()
    expect(await received()).toEqual([['ping UPDATE expired'], [], ['ping UPDATE expired'], []])
    await cast.server.befriend(ann, bob)
  })
})

describe('a deleted ping', () => {
  it('disappears for everyone who saw it, and its responses for everyone who saw those', async () => {
    const ping = await cast.drop(ann, { responses_visible: false })
    await cast.respond(ping.id, 'accepted', bob)
    await forget()
    await cast.remove(ping.id, ann)
    const answer = 'answer DELETE bob accepted'
    const gone = 'ping DELETE active'
    expect(await received()).toEqual([[answer, gone], [answer, gone], [gone], []])
  })

  it('is not announced if the caller may not delete it', async () => {
    const ping = await cast.drop(ann)
    await forget()
    await cast.remove(ping.id, bob)
    await cast.remove(ping.id, eve)
    expect(await received()).toEqual([[], [], [], []])
  })
})

describe('a response', () => {
  it('is announced to the owner and all invitees if responses are visible to invitees', async () => {
    const { id } = await cast.drop(ann, { is_public: true })
    await forget()
    await cast.respond(id, 'tentative', bob)
    await cast.respond(id, 'accepted', bob)
    await cast.takeBack(id, bob)
    await cast.takeBack(id, bob)
    const announcements = ['answer INSERT bob tentative', 'answer UPDATE bob accepted', 'answer DELETE bob accepted']
    expect(await received()).toEqual([announcements, announcements, announcements, []])
  })

  it('is announced to the owner and its author only if responses are hidden from invitees', async () => {
    const { id } = await cast.drop(ann, { responses_visible: false })
    await forget()
    await cast.respond(id, 'declined', bob)
    await cast.takeBack(id, bob)
    const announcements = ['answer INSERT bob declined', 'answer DELETE bob declined']
    expect(await received()).toEqual([announcements, announcements, [], []])
  })

  it('is not announced if it is refused, or removed when nobody could see it any more', async () => {
    const { id } = await cast.drop(ann, { is_public: true })
    await cast.respond(id, 'accepted', bob)
    await cast.unfriend(ann, bob)
    await forget()
    await cast.respond(id, 'accepted', eve)
    await cast.respond(id, 'accepted', ann)
    await cast.takeBack(id, bob)
    expect(await received()).toEqual([[], [], [], []])
    await cast.server.befriend(ann, bob)
  })
})

describe('losing and regaining access', () => {
  it('removes the ping with all responses from the former friend, and their response from everyone', async () => {
    const { id } = await cast.drop(ann)
    await cast.respond(id, 'accepted', bob)
    cast.server.clock.advance(1)
    await cast.respond(id, 'declined', cat)
    await forget()
    await cast.unfriend(bob, ann)
    const theirs = 'answer DELETE bob accepted'
    expect(await received()).toEqual([
      [theirs],
      [theirs, 'answer DELETE cat declined', 'ping DELETE active'],
      [theirs],
      [],
    ])
    await forget()
    await cast.server.befriend(bob, ann)
    const back = 'answer INSERT bob accepted'
    expect(await received()).toEqual([[back], ['ping INSERT active', back, 'answer INSERT cat declined'], [back], []])
  })

  it('changes only what that user saw', async () => {
    const hidden = await cast.drop(ann, { responses_visible: false })
    await cast.respond(hidden.id, 'declined', cat)
    await cast.drop(ann, { recipient_ids: [cat.id] })
    await cast.drop(bob, { recipient_ids: [ann.id] })
    await forget()
    await cast.block(ann, bob)
    expect(await received()).toEqual([['ping DELETE active'], ['ping DELETE active'], [], []])
    await cast.unblock(ann, bob)
    expect(await received()).toEqual([['ping DELETE active'], ['ping DELETE active'], [], []])
    await forget()
    await cast.server.befriend(ann, bob)
    expect(await received()).toEqual([['ping INSERT active'], ['ping INSERT active'], [], []])
  })

  it('removes an expired ping too, but does not restore it as if it were new', async () => {
    await cast.drop(ann, { recipient_ids: [bob.id] })
    cast.server.clock.advance(60 * minuteMs)
    await forget()
    await cast.unfriend(ann, bob)
    expect(await received()).toEqual([[], ['ping DELETE expired'], [], []])
    await forget()
    await cast.server.befriend(ann, bob)
    expect(await received()).toEqual([[], [], [], []])
  })
})
