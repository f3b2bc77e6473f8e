import { createConversation } from '@hither/contract/messages/messages.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type HttpReply, type Listener, type Person, type ReceivedChange, receivedBy } from '../../../test/harness.ts'
import { feeds } from '../../feeds/feeds.ts'
import { connect, type TestGateway } from '../../realtime/harness.ts'
import { minuteMs } from '../harness.ts'
import { area, type Cast, exact, exactPlace, placeIn, placeInReply, settings, startCast } from './harness.ts'

let cast: Cast
let ann: Person
let bob: Person
let cat: Person
let listeners: Listener[]

beforeAll(async () => {
  cast = await startCast()
  ;({ ann, bob, cat } = cast)
})

afterAll(() => cast.server.close())

const tables = ['location_pins', 'ping_responses', 'users'] as const

/** Bob has two devices, which are connected to different nodes if there are two. */
const people = () => [ann, bob, bob, cat]

beforeEach(async () => {
  listeners = []
  for (const person of people()) listeners.push(await cast.server.listen(person, tables))
})

afterEach(async () => {
  await Promise.all(listeners.map((listener) => listener.close()))
  await cast.clear()
})

/** The changes that ann, bob and cat have received since the last call, as `table type place`. Bob's devices agree. */
async function received() {
  const [toAnn = [], toBob = [], toBobAgain = [], toCat = []] = await Promise.all(
    people().map((person, index) => receivedBy(cast.server, person, listeners[index] as Listener)),
  )
  const all = [toAnn, toBob, toBobAgain, toCat].map((changes) => changes.map(described))
  for (const listener of listeners) (listener.received as unknown[]).length = 0
  expect(all[2]).toEqual(all[1])
  return { ann: all[0], bob: all[1], cat: all[3] }
}

function described({ table, eventType, new: record, old }: ReceivedChange): string {
  if (table !== 'location_pins') return `answer ${eventType}`
  const row = eventType === 'DELETE' ? old : record
  const place = JSON.stringify(placeIn(row))
  const name = place === JSON.stringify(exactPlace) ? 'exact' : place === JSON.stringify(area) ? 'area' : place
  return `ping ${eventType} ${row['status']} ${name}`
}

describe('a ping that shows its exact place to people who are going', () => {
  it('is announced exact to its owner, and with its area to the invitees', async () => {
    await cast.place('going')
    const toOthers = ['ping INSERT active area']
    expect(await received()).toEqual({ ann: ['ping INSERT active exact'], bob: toOthers, cat: toOthers })
  })

  it('becomes exact on all devices of an invitee who is going, after the response, and for nobody else', async () => {
    const { id } = await cast.place('going')
    await received()
    await cast.respond(id, 'tentative', bob)
    expect(await received()).toEqual({ ann: ['answer INSERT'], bob: ['answer INSERT'], cat: ['answer INSERT'] })
    await cast.respond(id, 'accepted', bob)
    const both = ['answer UPDATE', 'ping UPDATE active exact']
    expect(await received()).toEqual({ ann: ['answer UPDATE'], bob: both, cat: ['answer UPDATE'] })
    await cast.respond(id, 'accepted', bob)
    expect(await received()).toEqual({ ann: ['answer UPDATE'], bob: ['answer UPDATE'], cat: ['answer UPDATE'] })
  })

  it('becomes an area again with another answer, and when the answer is removed', async () => {
    const { id } = await cast.place('going')
    await cast.respond(id, 'accepted', bob)
    await received()
    await cast.respond(id, 'tentative', bob)
    const both = ['answer UPDATE', 'ping UPDATE active area']
    expect(await received()).toEqual({ ann: ['answer UPDATE'], bob: both, cat: ['answer UPDATE'] })
    await cast.respond(id, 'accepted', bob)
    await received()
    await cast.takeBack(id, bob)
    const removed = ['answer DELETE', 'ping UPDATE active area']
    expect(await received()).toEqual({ ann: ['answer DELETE'], bob: removed, cat: ['answer DELETE'] })
  })

  it('becomes exact for an invitee whose response as a guest is claimed', async () => {
    const { id } = await cast.place('going', { is_public: true, guest_policy: 'open' })
    const { token } = await cast.addGuest(id)
    await received()
    expect((await cast.claim(id, token, bob)).status).toBe(200)
    expect((await received()).bob).toEqual(['answer INSERT', 'ping UPDATE active exact'])
  })

  it('is announced by its place in every other change', async () => {
    const { id } = await cast.place('going', { is_public: true })
    await cast.respond(id, 'accepted', bob)
    await received()
    const update = {
      ann: ['ping UPDATE active exact'],
      bob: ['ping UPDATE active exact'],
      cat: ['ping UPDATE active area'],
    }
    await cast.setPolicy(id, 'open')
    expect(await received()).toEqual(update)
    await cast.change(id, { extend_minutes: 15 }, ann)
    expect(await received()).toEqual(update)
    const chat = { participant_ids: [bob.id, cat.id], name: 'Coffee Chat', ping_id: id, system_created: true }
    expect((await cast.server.call(createConversation, { body: chat }, ann)).status).toBe(201)
    expect(await received()).toEqual(update)
    await cast.remove(id, ann)
    expect(await received()).toEqual({
      ann: ['answer DELETE', 'ping DELETE active exact'],
      bob: ['answer DELETE', 'ping DELETE active exact'],
      cat: ['answer DELETE', 'ping DELETE active area'],
    })
  })

  it('leaves a former friend with the place that they knew, and returns to a friend by their answer', async () => {
    const { id } = await cast.place('going')
    await cast.respond(id, 'accepted', bob)
    await received()
    await cast.unfriend(ann, bob)
    expect((await received()).bob).toEqual(['answer DELETE', 'ping DELETE active exact'])
    await cast.unfriend(ann, cat)
    expect((await received()).cat).toEqual(['ping DELETE active area'])
    await cast.server.befriend(ann, cat)
    expect((await received()).cat).toEqual(['ping INSERT active area'])
    await cast.server.befriend(ann, bob)
    expect((await received()).bob).toEqual(['ping INSERT active exact', 'answer INSERT'])
  })
})

describe('a change of who sees the exact place', () => {
  it('is announced exact or as an area by recipient, with two rows at most', async () => {
    const { id } = await cast.place('everyone')
    await cast.respond(id, 'accepted', bob)
    await received()
    await cast.change(id, { exact_place_for: 'going' }, ann)
    const [exactly, roughly] = [['ping UPDATE active exact'], ['ping UPDATE active area']]
    expect(await received()).toEqual({ ann: exactly, bob: exactly, cat: roughly })
    const [row] = await cast.server
      .db`select body from outbox where body like '%location_pins%' order by id desc limit 1`
    expect(JSON.parse(row?.['body'] as string).flatMap(({ changes }: { changes: unknown[] }) => changes)).toHaveLength(
      2,
    )
    await cast.change(id, { exact_place_for: 'invited' }, ann)
    expect(await received()).toEqual({ ann: exactly, bob: exactly, cat: exactly })
    await cast.change(id, { exact_place_for: 'invited', area_km: 1 }, ann)
    expect(await received()).toEqual({ ann: [], bob: [], cat: [] })
  })
})

describe('the end of a ping', () => {
  it.each(['invited', 'going'] as const)(
    'for %s takes the exact place from everyone but the owner',
    async (setting) => {
      const [expired, ended] = [await cast.place(setting), await cast.place(setting)]
      for (const { id } of [expired, ended]) await cast.respond(id, 'accepted', bob)
      await received()
      const end = {
        ann: ['ping UPDATE expired exact'],
        bob: ['ping UPDATE expired area'],
        cat: ['ping UPDATE expired area'],
      }
      await cast.change(ended.id, { end: true }, ann)
      expect(await received()).toEqual(end)
      // The job that announces ends may run later, after a restart for example.
      cast.server.clock.advance(45 * minuteMs)
      expect((await cast.read(expired.id, bob)).body).toMatchObject(area)
      await cast.server.app.pingJobs.runDue()
      expect(await received()).toEqual(end)
    },
  )

  it('leaves the exact place to all who saw it if everyone might', async () => {
    await cast.place('everyone')
    await received()
    cast.server.clock.advance(30 * minuteMs)
    await cast.server.app.pingJobs.runDue()
    const end = ['ping UPDATE expired exact']
    expect(await received()).toEqual({ ann: end, bob: end, cat: end })
  })
})

it.each(settings)('a replay for %s shows the exact place to those who may still read it', async (setting) => {
  const ping = await cast.place(setting)
  await cast.respond(ping.id, 'accepted', bob)
  const viewers = [ann, bob, cat]
  const placeKeepMs = 24 * 60 * minuteMs
  const readers = async () => {
    const replies = await Promise.all(viewers.map((viewer) => cast.read(ping.id, viewer)))
    return viewers.filter(
      (_viewer, index) => placeInReply(replies[index] as HttpReply<unknown>).place_radius_m === null,
    )
  }
  const informed = await readers()
  expect(informed).toContain(ann)
  for (const minutes of [0, 29, 1, 1, placeKeepMs / minuteMs - 2, 1, 1]) {
    cast.server.clock.advance(minutes * minuteMs)
    const now = cast.server.clock.now()
    const isReplayed = ({ id }: Person) => !feeds.location_pins.outdated.at(ping, id, now, { placeKeepMs })
    expect(informed.filter(isReplayed)).toEqual(await readers())
  }
})

it('a device that was offline while an answer was given and removed receives no exact place', async () => {
  const gateway = { origin: cast.server.url.replace('http', 'ws') } as TestGateway
  const join = async (handled?: unknown) => {
    const device = await connect(gateway)
    const config = { postgres_changes: tables.map((table) => ({ event: '*', schema: 'public', table })) }
    await device.join('realtime:place', '1', bob.session.access_token, config, { resume: { after: handled } })
    return device
  }
  const before = await join()
  const { id } = await cast.place('going')
  const { commit_timestamp: handled } = await before.change()
  before.webSocket.terminate()
  await before.closed
  await cast.respond(id, 'accepted', bob)
  await cast.respond(id, 'declined', bob)
  const after = await join(handled)
  const frames = JSON.stringify(await after.settle())
  expect(frames).not.toContain('"resync"')
  expect(frames).toContain('"response_type":"declined"')
  expect(frames).toContain(`"latitude":${area.latitude}`)
  expect(frames).not.toContain(String(exact.latitude))
  expect(frames).not.toContain(exact.address)
  after.webSocket.terminate()
})
