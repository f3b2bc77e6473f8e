import type { ExactPlaceFor } from '@hither/contract/areas.ts'
import type { PingId } from '@hither/contract/ids.ts'
import type {
  DurationMinutes,
  ExtensionMinutes,
  Ping,
  PingResponse,
  ResponseType,
  ShownPing,
} from '@hither/contract/pings.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Listener, type Person, type ReceivedChange, receivedBy, runsFor } from '../../test/harness.ts'
import { type Cast, minuteMs, place, startCast } from './harness.ts'
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
  // Mostly ann, so that the friends of one person are invited to the same pings.
  owner: fc.oneof({ arbitrary: fc.constant<Name>('ann'), weight: 3 }, { arbitrary: who, weight: 1 }),
  guests: fc.option(fc.subarray([...names]), { nil: null }),
  isPublic: fc.boolean(),
  responsesVisible: fc.boolean(),
  exactPlaceFor: fc.constantFrom<ExactPlaceFor[]>('everyone', 'invited', 'going', 'going'),
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
const edit = fc.record({
  deed: fc.constant('edit' as const),
  who: fc.oneof({ arbitrary: fc.constant<Name>('ann'), weight: 3 }, { arbitrary: who, weight: 1 }),
  index,
  what: fc.constantFrom<model.Edit>('name', 'place', 'start', 'isPublic', 'responsesVisible'),
})
const onInvitee = fc.record({
  deed: fc.constantFrom('invite' as const, 'uninvite' as const, 'cancel' as const),
  who: fc.oneof({ arbitrary: fc.constant<Name>('ann'), weight: 3 }, { arbitrary: who, weight: 1 }),
  index,
  guest: who,
})
const showPlace = fc.record({
  deed: fc.constant('showPlace' as const),
  who: fc.oneof({ arbitrary: fc.constant<Name>('ann'), weight: 4 }, { arbitrary: who, weight: 1 }),
  index,
  exactPlaceFor: fc.constantFrom<ExactPlaceFor[]>('everyone', 'invited', 'going'),
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
  isAnnounced: fc.boolean(),
})
const step = fc.oneof(create, respond, respond, onPing, change, edit, showPlace, onInvitee, onPair, pass)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

it('shows everyone exactly what the rules allow, in lists and live, in any order of actions', {
  timeout: 240_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 20 }), async (steps) => {
      const state = await beginAnew()
      const receivedBefore = await receivedByAll()
      for (const one of steps) {
        await doStep(state, one)
        await expectRules(state)
      }
      await cast.server.app.pingJobs.runDue()
      const receivedAfter = await receivedByAll()
      for (const name of names) {
        await expectFold(name, (receivedAfter.get(name) ?? []).slice(receivedBefore.get(name)?.length))
      }
    }),
    { numRuns: runsFor(12) },
  )
})

/** Ann with bob and cat as friends, without pings. */
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
    if (one.isAnnounced) await cast.server.app.pingJobs.runDue()
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
  if (one.deed === 'edit') return doEdit(state, ping, one.who, one.what)
  if ('guest' in one) return doOnInvitee(state, ping, one)
  if (one.deed === 'showPlace') {
    const { who, exactPlaceFor } = one
    const { status } = await cast.change(ping.id, { exact_place_for: exactPlaceFor }, cast[who])
    expect([status, who]).toEqual([model.changePlace(state, ping, who, exactPlaceFor), who])
    return
  }
  if (one.deed === 'takeBack') {
    expect((await cast.takeBack(ping.id, cast[one.who])).status).toBe(204)
    ping.answers.delete(one.who)
    return
  }
  const access = model.accessOf(state, ping, one.who)
  const expected = access === 'owner' ? 204 : access === 'invitee' ? 403 : 404
  expect((await cast.remove(ping.id, cast[one.who])).status).toBe(expected)
  if (access === 'owner') state.pings = state.pings.filter((other) => other !== ping)
}

async function doCreate(state: Model, one: Extract<Step, { deed: 'create' }>): Promise<void> {
  if (state.pings.length >= 4) return
  const friends = model.friendsOf(state, one.owner)
  const guests = one.guests ?? friends
  const mayBe = guests.every((guest) => friends.includes(guest)) && (guests.length > 0 || one.isPublic)
  const { status, body } = await cast.create(cast[one.owner], {
    is_public: one.isPublic,
    responses_visible: one.responsesVisible,
    exact_place_for: one.exactPlaceFor,
    duration_minutes: one.duration,
    ...(one.guests && { recipient_ids: one.guests.map((guest) => cast[guest].id) }),
    ...(one.delayMinutes > 0 && { activates_at: cast.ahead(one.delayMinutes) }),
  })
  expect(status).toBe(mayBe ? 201 : 422)
  if (!mayBe) return
  const { owner, isPublic, responsesVisible, exactPlaceFor } = one
  const times = model.timesOf(state.now, one.delayMinutes, one.duration)
  state.pings.push({
    id: body.id,
    owner,
    guests: [...guests],
    isPublic,
    responsesVisible,
    exactPlaceFor,
    ...times,
    ...model.newHistory(),
  })
}

async function doEdit(state: Model, ping: ModelPing, name: Name, what: model.Edit): Promise<void> {
  const start = ping.activatesAt ?? ping.createdAt
  const changes = {
    name: { name: `Pin ${++edits}` },
    // In the same row of areas.
    place: { latitude: place.latitude, longitude: (++edits % 18_000) / 100 },
    start: { activates_at: new Date(start + 20 * minuteMs).toISOString() },
    isPublic: { is_public: !ping.isPublic },
    responsesVisible: { responses_visible: !ping.responsesVisible },
  }
  const { status, body } = await cast.change(ping.id, changes[what], cast[name])
  expect([what, status]).toEqual([what, model.edit(state, ping, name, what)])
  if (status !== 200) return
  expect(body.revision).toBe(ping.revision)
  expectWhole(state, ping, name, body)
}

let edits = 0

async function doOnInvitee(state: Model, ping: ModelPing, one: Extract<Step, { guest: Name }>): Promise<void> {
  const { deed, who: name, guest } = one
  if (deed === 'uninvite') {
    const { status } = await cast.uninvite(ping.id, cast[guest], cast[name])
    return expect(status).toBe(model.uninvite(state, ping, name, guest))
  }
  const { status, body } =
    deed === 'invite'
      ? await cast.invite(ping.id, [cast[guest]], cast[name])
      : await cast.cancel(ping.id, cast[name], 'Rain')
  const expected = deed === 'invite' ? model.invite(state, ping, name, guest) : model.cancel(state, ping, name)
  expect(status).toBe(expected)
  if (status === 200) expectWhole(state, ping, name, body)
}

async function doRespond(state: Model, ping: ModelPing, name: Name, type: ResponseType): Promise<void> {
  const access = model.accessOf(state, ping, name)
  const isExpired = model.statusOf(state, ping) === 'expired'
  const expected = access === null ? 404 : access !== 'invitee' ? 403 : isExpired ? 409 : 200
  expect((await cast.respond(ping.id, type, cast[name])).status).toBe(expected)
  if (expected !== 200) return
  ping.answers.set(name, type)
  ping.revisions.set(name, ping.revision)
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
    if (isOpen) expect([body.access, Object.keys(body).length]).toEqual(['visitor', 27])
    if (isOpen) expect(body.place_radius_m === null).toBe((ping.exactPlaceFor ?? 'everyone') === 'everyone')
  }
}

async function expectOne(state: Model, ping: ModelPing, viewer: Name): Promise<void> {
  const access = model.accessOf(state, ping, viewer)
  const [read, answers] = [await cast.read(ping.id, cast[viewer]), await cast.answers(ping.id, cast[viewer])]
  const seesAnswers = access === 'owner' || (access === 'invitee' && ping.responsesVisible)
  expect([viewer, read.status, answers.status]).toEqual([
    viewer,
    access === null ? 404 : 200,
    access === null ? 404 : seesAnswers ? 200 : 403,
  ])
  if (access === 'invitee') ping.seenBy.add(viewer)
  if (access === null) return
  if (access === 'link') {
    expect(read.body.access).toBe(access)
    expect(read.body).not.toHaveProperty('recipients')
    expect(read.body).not.toHaveProperty('responses')
    expect(read.body.status).toBe(model.statusOf(state, ping))
    expectPlace(read.body, model.knowsPlace(state, ping, viewer))
    return
  }
  expectWhole(state, ping, viewer, read.body as Ping)
  if (seesAnswers) expect(answers.body).toEqual((read.body as Ping).responses)
}

function expectWhole(state: Model, ping: ModelPing, viewer: Name, shown: Ping): void {
  expect({
    access: shown.access,
    status: shown.status,
    guests: shown.recipients.map(({ recipient_username, has_seen }) => `${recipient_username} ${has_seen}`),
    answers: inWords(shown.responses),
    ends: Date.parse(shown.expires_at),
  }).toEqual({
    access: model.accessOf(state, ping, viewer),
    status: model.statusOf(state, ping),
    ends: ping.expiresAt,
    ...model.peopleShownTo(state, ping, viewer),
  })
  expectPlace(shown, model.knowsPlace(state, ping, viewer))
}

/** The exact place has two decimals, the center of the area more. */
function expectPlace({ latitude, place_radius_m }: ShownPing, isExact: boolean): void {
  expect([latitude, place_radius_m]).toEqual(isExact ? [place.latitude, null] : [45.525, 1000])
}

function pingOf(state: Model, id: PingId): ModelPing {
  return state.pings.find((ping) => ping.id === id) as ModelPing
}

function inWords(responses: Iterable<Pick<PingResponse, 'username' | 'response_type' | 'revision'>>): string[] {
  return [...responses]
    .map(({ username, response_type, revision }) => `${username} ${response_type} ${revision}`)
    .sort()
}

async function receivedByAll(): Promise<Map<Name, ReceivedChange[]>> {
  const receivedChanges = new Map<Name, ReceivedChange[]>()
  for (const name of names) {
    receivedChanges.set(name, await receivedBy(cast.server, cast[name] as Person, listeners.get(name) as Listener))
  }
  return receivedChanges
}

/** A client that only listened knows what the list would return. */
async function expectFold(name: Name, receivedChanges: ReceivedChange[]): Promise<void> {
  const rows = {
    location_pins: new Map<string, ReceivedChange['new']>(),
    ping_responses: new Map<string, ReceivedChange['new']>(),
  }
  for (const { table, eventType, new: record, old } of receivedChanges) {
    const row = eventType === 'DELETE' ? old : record
    const key = table === 'location_pins' ? String(row['id']) : `${row['ping_id']} ${row['user_id']}`
    const rowsOfTable = rows[table as keyof typeof rows]
    if (eventType === 'DELETE') rowsOfTable.delete(key)
    else rowsOfTable.set(key, row)
  }
  const { body } = await cast.list(cast[name])
  const live = [...rows.location_pins.values()].filter((row) => row['status'] !== 'expired')
  const ofViewer = [
    'access',
    'can_respond',
    'recipients',
    'responses',
    'guests',
    'trips',
    'invited_all',
    'audience',
    'place_known_by',
  ]
  const listed = body.map((ping) =>
    Object.fromEntries(Object.entries(ping).filter(([name]) => !ofViewer.includes(name))),
  )
  expect(sorted(live)).toEqual(sorted(listed))
  for (const ping of body) {
    const answers = [...rows.ping_responses.values()].filter((row) => row['ping_id'] === ping.id)
    expect(inWords(answers as unknown as PingResponse[])).toEqual(inWords(ping.responses))
  }
  // Responses belong only to pings that are present.
  for (const row of rows.ping_responses.values()) expect([...rows.location_pins.keys()]).toContain(row['ping_id'])
}

function sorted(rows: object[]): object[] {
  return [...rows].sort((a, b) => idOf(a).localeCompare(idOf(b)))
}

function idOf(row: object): string {
  return String((row as { id: unknown }).id)
}
