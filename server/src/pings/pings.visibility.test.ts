import { type PingId } from '@hither/contract/ids.ts'
import {
  type DurationMinutes,
  type ExtensionMinutes,
  type Ping,
  type PingResponse,
  type ResponseType,
} from '@hither/contract/pings.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Heard, type Listener, type Person } from '../../test/harness.ts'
import { type Cast, heardBy, minuteMs, startCast } from './harness.ts'
import * as model from './pings.model.ts'
import { type Model, type ModelPing, type Name, names } from './pings.model.ts'

let cast: Cast
const listeners = new Map<Name, Listener>()

beforeAll(async () => {
  cast = await startCast()
  for (const name of names) {
    listeners.set(name, await cast.server.listen(cast[name], ['location_pins', 'ping_responses', 'users']))
  }
})

afterAll(() => cast.server.close())

const durations = [15, 30] as const satisfies DurationMinutes[]
const who = fc.constantFrom(...names)
const pair = fc
  .tuple(who, who)
  .filter(([a, b]) => a !== b)
  .map(([a, b]) => ({ a, b }))
const create = fc.record({
  deed: fc.constant('create' as const),
  // Mostly ann, so that the friends of one person meet in her pings.
  owner: fc.oneof({ arbitrary: fc.constant<Name>('ann'), weight: 3 }, { arbitrary: who, weight: 1 }),
  guests: fc.option(fc.subarray([...names]), { nil: null }),
  isPublic: fc.boolean(),
  responsesVisible: fc.boolean(),
  delayMinutes: fc.constantFrom(0, 0, 10, 40),
  duration: fc.constantFrom(...durations),
})
const index = fc.nat(20)
const type = fc.constantFrom<ResponseType>('accepted', 'tentative', 'declined')
const respond = fc.record({ deed: fc.constant('respond' as const), who, index, type })
const onPing = fc.record({ deed: fc.constantFrom('takeBack' as const, 'remove' as const), who, index })
const change = fc.record({
  deed: fc.constant('change' as const),
  who: fc.oneof({ arbitrary: fc.constant<Name>('ann'), weight: 2 }, { arbitrary: who, weight: 1 }),
  index,
  minutes: fc.constantFrom<(ExtensionMinutes | null)[]>(null, 15, 30, 60),
})
const onPair = pair.chain(({ a, b }) =>
  fc.record({
    deed: fc.constantFrom(
      'befriend' as const,
      'befriend' as const,
      'unfriend' as const,
      'block' as const,
      'unblock' as const,
    ),
    a: fc.constant(a),
    b: fc.constant(b),
  }),
)
const pass = fc.record({
  deed: fc.constant('pass' as const),
  ms: fc.constantFrom(1, 5 * minuteMs, 10 * minuteMs, 15 * minuteMs, 15 * minuteMs - 1),
  isTold: fc.boolean(),
})
const step = fc.oneof(create, respond, respond, onPing, change, onPair, pass)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

it('whatever happens, in any order, everyone sees what the rules say, and what they heard live comes to the same', {
  timeout: 240_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 20 }), async (steps) => {
      const state = await beginAnew()
      const heardBefore = await heardByAll()
      for (const one of steps) {
        await doStep(state, one)
        await expectRules(state)
      }
      await cast.server.app.pingJobs.runDue()
      const heardAfter = await heardByAll()
      for (const name of names) {
        await expectFold(name, (heardAfter.get(name) ?? []).slice(heardBefore.get(name)?.length))
      }
    }),
    { numRuns: 12 },
  )
})

/** Ann with bob and cat for friends, and no ping. */
async function beginAnew(): Promise<Model> {
  await cast.clear()
  await cast.server.db`truncate friend_requests, friendships, blocks cascade`
  await cast.server.befriend(cast.ann, cast.bob)
  await cast.server.befriend(cast.ann, cast.cat)
  const state = model.newModel(cast.server.clock.now().getTime())
  for (const friend of ['bob', 'cat'] as const) state.friendships.add(model.pairOf('ann', friend))
  return state
}

async function doStep(state: Model, one: Step): Promise<void> {
  if (one.deed === 'create') return doCreate(state, one)
  if (one.deed === 'pass') {
    cast.server.clock.advance(one.ms)
    state.now += one.ms
    if (one.isTold) await cast.server.app.pingJobs.runDue()
    return
  }
  if ('a' in one) return doOnPair(state, one)
  const ping = state.pings[one.index % Math.max(1, state.pings.length)]
  if (!ping) return
  if (one.deed === 'respond') return doRespond(state, ping, one.who, one.type)
  if (one.deed === 'change') {
    const { who, minutes } = one
    const asked = minutes === null ? ({ end: true } as const) : { extend_minutes: minutes }
    const { status, body } = await cast.change(ping.id, asked, cast[who])
    expect([status, who]).toEqual([model.change(state, ping, who, minutes), who])
    if (status === 200) expectWhole(state, ping, who, body)
    return
  }
  if (one.deed === 'takeBack') {
    expect((await cast.takeBack(ping.id, cast[one.who])).status).toBe(204)
    ping.answers.delete(one.who)
    return
  }
  const sight = model.sightOf(state, ping, one.who)
  const expected = sight === 'owner' ? 204 : sight === 'invitee' ? 403 : 404
  expect((await cast.remove(ping.id, cast[one.who])).status).toBe(expected)
  if (sight === 'owner') state.pings = state.pings.filter((other) => other !== ping)
}

async function doCreate(state: Model, one: Extract<Step, { deed: 'create' }>): Promise<void> {
  if (state.pings.length >= 4) return
  const friends = model.friendsOf(state, one.owner)
  const guests = one.guests ?? friends
  const mayBe = guests.every((guest) => friends.includes(guest)) && (guests.length > 0 || one.isPublic)
  const { status, body } = await cast.create(cast[one.owner], {
    is_public: one.isPublic,
    responses_visible: one.responsesVisible,
    duration_minutes: one.duration,
    ...(one.guests && { recipient_ids: one.guests.map((guest) => cast[guest].id) }),
    ...(one.delayMinutes > 0 && { activates_at: cast.ahead(one.delayMinutes) }),
  })
  expect(status).toBe(mayBe ? 201 : 422)
  if (!mayBe) return
  const { owner, isPublic, responsesVisible } = one
  const times = model.timesOf(state.now, one.delayMinutes, one.duration)
  const fresh = { seenBy: new Set<Name>(), answers: new Map<Name, ResponseType>() }
  state.pings.push({ id: body.id, owner, guests, isPublic, responsesVisible, ...times, ...fresh })
}

async function doRespond(state: Model, ping: ModelPing, name: Name, type: ResponseType): Promise<void> {
  const sight = model.sightOf(state, ping, name)
  const isOver = model.statusOf(state, ping) === 'expired'
  const expected = sight === null ? 404 : sight !== 'invitee' ? 403 : isOver ? 409 : 200
  expect((await cast.respond(ping.id, type, cast[name])).status).toBe(expected)
  if (expected === 200) ping.answers.set(name, type)
}

async function doOnPair(state: Model, { deed, a, b }: Extract<Step, { a: Name }>): Promise<void> {
  const [one, other] = [cast[a], cast[b]]
  switch (deed) {
    case 'befriend':
      if (model.areFriends(state, a, b) || model.isBlocked(state, a, b)) return
      await cast.server.befriend(one, other)
      state.friendships.add(model.pairOf(a, b))
      return
    case 'unfriend':
      await cast.unfriend(one, other)
      state.friendships.delete(model.pairOf(a, b))
      return
    case 'block':
      if (state.blocks.has(`${b}>${a}`)) return
      await cast.block(one, other)
      state.friendships.delete(model.pairOf(a, b))
      state.blocks.add(`${a}>${b}`)
      return
    case 'unblock':
      await cast.unblock(one, other)
      state.blocks.delete(`${a}>${b}`)
  }
}

async function expectRules(state: Model): Promise<void> {
  for (const viewer of names) {
    const { body } = await cast.list(cast[viewer])
    expect([viewer, body.map(({ id }) => id)]).toEqual([viewer, model.listOf(state, viewer)])
    for (const ping of body) expectWhole(state, pingOf(state, ping.id), viewer, ping)
    const mine = (await cast.mine(cast[viewer])).body
    expect(mine.map(({ id }) => id)).toEqual(model.myPinsOf(state, viewer))
    for (const ping of state.pings) await expectOne(state, ping, viewer)
  }
  for (const ping of state.pings) {
    const isOpen = ping.isPublic && model.statusOf(state, ping) !== 'expired'
    const { status, body } = await cast.read(ping.id)
    expect(status).toBe(isOpen ? 200 : 404)
    if (isOpen) expect(Object.keys(body)).toHaveLength(12)
  }
}

async function expectOne(state: Model, ping: ModelPing, viewer: Name): Promise<void> {
  const sight = model.sightOf(state, ping, viewer)
  const [read, answers] = [await cast.read(ping.id, cast[viewer]), await cast.answers(ping.id, cast[viewer])]
  const seesAnswers = sight === 'owner' || (sight === 'invitee' && ping.responsesVisible)
  expect([viewer, read.status, answers.status]).toEqual([
    viewer,
    sight === null ? 404 : 200,
    sight === null ? 404 : seesAnswers ? 200 : 403,
  ])
  if (sight === 'invitee') ping.seenBy.add(viewer)
  if (sight === null) return
  if (sight === 'stranger') {
    expect(read.body).not.toHaveProperty('recipients')
    expect(read.body).not.toHaveProperty('responses')
    expect(read.body.status).toBe(model.statusOf(state, ping))
    return
  }
  expectWhole(state, ping, viewer, read.body as Ping)
  if (seesAnswers) expect(answers.body).toEqual((read.body as Ping).responses)
}

function expectWhole(state: Model, ping: ModelPing, viewer: Name, shown: Ping): void {
  expect({
    status: shown.status,
    guests: shown.recipients.map(({ recipient_username, has_seen }) => `${recipient_username} ${has_seen}`),
    answers: inWords(shown.responses),
    ends: Date.parse(shown.expires_at),
  }).toEqual({ status: model.statusOf(state, ping), ends: ping.expiresAt, ...model.peopleShownTo(state, ping, viewer) })
}

function pingOf(state: Model, id: PingId): ModelPing {
  return state.pings.find((ping) => ping.id === id) as ModelPing
}

function inWords(responses: Iterable<Pick<PingResponse, 'username' | 'response_type'>>): string[] {
  return [...responses].map(({ username, response_type }) => `${username} ${response_type}`).sort()
}

async function heardByAll(): Promise<Map<Name, Heard[]>> {
  const heard = new Map<Name, Heard[]>()
  for (const name of names) {
    heard.set(name, await heardBy(cast.server, cast[name] as Person, listeners.get(name) as Listener))
  }
  return heard
}

/** Someone who only listened knows what the list would tell them. */
async function expectFold(name: Name, heard: Heard[]): Promise<void> {
  const rows = { location_pins: new Map<string, Heard['new']>(), ping_responses: new Map<string, Heard['new']>() }
  for (const { table, eventType, new: record, old } of heard) {
    const row = eventType === 'DELETE' ? old : record
    const key = table === 'location_pins' ? String(row['id']) : `${row['ping_id']} ${row['user_id']}`
    const rowsOfTable = rows[table as keyof typeof rows]
    if (eventType === 'DELETE') rowsOfTable.delete(key)
    else rowsOfTable.set(key, row)
  }
  const { body } = await cast.list(cast[name])
  const live = [...rows.location_pins.values()].filter((row) => row['status'] !== 'expired')
  const listed = body.map(({ recipients: _, responses: __, ...row }) => row)
  expect(sorted(live)).toEqual(sorted(listed))
  for (const ping of body) {
    const answers = [...rows.ping_responses.values()].filter((row) => row['ping_id'] === ping.id)
    expect(inWords(answers as unknown as PingResponse[])).toEqual(inWords(ping.responses))
  }
  // Nor is there an answer to a ping that is not there.
  for (const row of rows.ping_responses.values()) expect([...rows.location_pins.keys()]).toContain(row['ping_id'])
}

function sorted(rows: object[]): object[] {
  return [...rows].sort((a, b) => idOf(a).localeCompare(idOf(b)))
}

function idOf(row: object): string {
  return String((row as { id: unknown }).id)
}
