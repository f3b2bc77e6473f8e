import type { ExtensionMinutes, PingStatus, ResponseType } from '@hither/contract/pings.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Listener, type ReceivedChange, receivedBy, runsFor } from '../../test/harness.ts'
import { type Cast, dayMs, minuteMs, startCast } from './harness.ts'
import * as model from './pings.model.ts'
import { type Model, type ModelPing, type Name, names } from './pings.model.ts'

/** The changes that each person has received, by row: `ann ping 0` to `['INSERT active', 'DELETE active']`. */
type Announcements = Map<string, string[]>

/** The rules on who receives which change, in addition to the visibility rules of the model. */
interface State extends Model {
  /** In the order of creation, including deleted ones. The position names a row in `Announcements`. */
  made: ModelPing[]
  announced: Map<ModelPing, PingStatus>
  announcements: Announcements
}

let cast: Cast
const listeners = new Map<Name, Listener>()

beforeAll(async () => {
  cast = await startCast()
  for (const name of names) {
    listeners.set(name, await cast.server.listen(cast[name], ['location_pins', 'ping_responses', 'users']))
  }
})

afterAll(() => cast.server.close())

// Eve stays a stranger. Few people and few pings, so that several steps affect the same ping.
const friends = ['bob', 'cat'] as const satisfies Name[]
const create = fc.record({
  deed: fc.constant('create' as const),
  guests: fc.constantFrom<Name[]>(['bob', 'cat'], ['bob', 'cat'], ['bob'], ['cat']),
  isPublic: fc.boolean(),
  responsesVisible: fc.boolean(),
  delayMinutes: fc.constantFrom(0, 0, 10, 30),
})
const who = fc.constantFrom<Name>('bob', 'bob', 'cat', 'cat', 'ann', 'eve')
const index = fc.nat(20)
const respond = fc.record({
  deed: fc.constant('respond' as const),
  who,
  index,
  type: fc.constantFrom<ResponseType>('accepted', 'tentative', 'declined'),
})
const onPing = fc.record({ deed: fc.constantFrom('takeBack' as const, 'remove' as const, 'read' as const), who, index })
const change = fc.record({
  deed: fc.constant('change' as const),
  who: fc.constantFrom<Name>('ann', 'ann', 'ann', 'bob', 'eve'),
  index,
  minutes: fc.constantFrom<(ExtensionMinutes | null)[]>(null, null, 15, 30, 60, 60),
})
const onFriend = fc.record({
  deed: fc.constantFrom('befriend' as const, 'befriend' as const, 'unfriend' as const, 'block' as const),
  friend: fc.constantFrom(...friends),
})
const pass = fc.record({
  deed: fc.constant('pass' as const),
  ms: fc.constantFrom(1, 10 * minuteMs, 30 * minuteMs, 30 * minuteMs, 31 * dayMs),
  // Otherwise a later run announces it, as after a node was down.
  isAnnounced: fc.boolean(),
})
const step = fc.oneof(create, respond, respond, respond, onPing, change, change, onFriend, onFriend, pass, pass)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

it('announces each insert, update and delete once to exactly the users who may see it, in any order of actions', {
  timeout: 240_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(create, fc.array(step, { minLength: 15, maxLength: 35 }), async (first, steps) => {
      const state = await startOver()
      const before = new Map<Name, number>()
      for (const name of names) before.set(name, (await listChanges(name)).length)
      for (const one of [first, ...steps]) await doStep(state, one)
      const announcements: Announcements = new Map()
      for (const name of names) {
        for (const change of (await listChanges(name)).slice(before.get(name)))
          recordChange(state, announcements, name, change)
      }
      expect(inOrder(announcements)).toEqual(inOrder(state.announcements))
    }),
    { numRuns: runsFor(25) },
  )
})

/** Ann with bob and cat as friends, without pings. */
async function startOver(): Promise<State> {
  await cast.clear()
  await cast.server.db`truncate friend_requests, friendships, blocks cascade`
  const now = cast.server.clock.now().getTime()
  const state: State = { ...model.newModel(now), made: [], announced: new Map(), announcements: new Map() }
  for (const friend of friends) {
    await cast.server.befriend(cast.ann, cast[friend])
    state.friendships.add(model.pairOf('ann', friend))
  }
  return state
}

function listChanges(name: Name): Promise<ReceivedChange[]> {
  return receivedBy(cast.server, cast[name], listeners.get(name) as Listener)
}

function recordChange(
  state: State,
  announcements: Announcements,
  name: Name,
  { table, eventType, new: record, old }: ReceivedChange,
): void {
  const row = eventType === 'DELETE' ? old : record
  const numberOf = (id: unknown) => state.made.findIndex((ping) => ping.id === id)
  if (table === 'location_pins')
    note(announcements, `${name} ping ${numberOf(row['id'])}`, `${eventType} ${row['status']}`)
  else
    note(
      announcements,
      `${name} answer ${numberOf(row['ping_id'])} of ${row['username']}`,
      `${eventType} ${row['response_type']}`,
    )
}

function note(announcements: Announcements, row: string, what: string): void {
  announcements.set(row, [...(announcements.get(row) ?? []), what])
}

function inOrder(announcements: Announcements): Record<string, string[]> {
  return Object.fromEntries([...announcements].sort(([a], [b]) => a.localeCompare(b)))
}

async function doStep(state: State, one: Step): Promise<void> {
  if (one.deed === 'create') return doCreate(state, one)
  if (one.deed === 'pass') return doPass(state, one)
  if ('friend' in one) return doOnFriend(state, one)
  const ping = state.pings[one.index % Math.max(1, state.pings.length)]
  if (!ping) return
  const caller = cast[one.who]
  switch (one.deed) {
    case 'read':
      // Marking a ping as seen changes the row, but is not announced.
      await cast.read(ping.id, caller)
      return
    case 'change': {
      const { minutes } = one
      const { status } = await cast.change(
        ping.id,
        minutes === null ? { end: true } : { extend_minutes: minutes },
        caller,
      )
      expect(status).toBe(model.change(state, ping, one.who, minutes))
      if (status !== 200) return
      // Pending announcements of the ping are published with the change.
      state.announced.set(ping, model.statusOf(state, ping))
      announcePing(state, ping, 'UPDATE', ['ann', ...model.audienceOf(state, ping)])
      return
    }
    case 'respond': {
      const { status } = await cast.respond(ping.id, one.type, caller)
      if (status !== 200) return
      announceAnswer(state, ping, one.who, ping.answers.has(one.who) ? 'UPDATE' : 'INSERT', one.type)
      ping.answers.set(one.who, one.type)
      return
    }
    case 'takeBack': {
      await cast.takeBack(ping.id, caller)
      const type = ping.answers.get(one.who)
      if (type) announceAnswer(state, ping, one.who, 'DELETE', type)
      ping.answers.delete(one.who)
      return
    }
    case 'remove':
      if ((await cast.remove(ping.id, caller)).status === 204) announceDeletion(state, ping)
  }
}

async function doCreate(state: State, one: Extract<Step, { deed: 'create' }>): Promise<void> {
  if (state.pings.length >= 3) return
  const { status, body } = await cast.create(cast.ann, {
    is_public: one.isPublic,
    responses_visible: one.responsesVisible,
    recipient_ids: one.guests.map((guest) => cast[guest].id),
    ...(one.delayMinutes > 0 && { activates_at: cast.ahead(one.delayMinutes) }),
  })
  if (status !== 201) return
  const { guests, isPublic, responsesVisible } = one
  const times = model.timesOf(state.now, one.delayMinutes, 30)
  const history = model.newHistory()
  const ping: ModelPing = { id: body.id, owner: 'ann', guests, isPublic, responsesVisible, ...times, ...history }
  state.pings.push(ping)
  state.made.push(ping)
  state.announced.set(ping, model.statusOf(state, ping))
  announcePing(state, ping, 'INSERT', ['ann', ...guests])
}

async function doPass(state: State, { ms, isAnnounced }: Extract<Step, { deed: 'pass' }>): Promise<void> {
  cast.server.clock.advance(ms)
  state.now += ms
  if (!isAnnounced) return
  const { pingJobs } = cast.server.app
  await Promise.all([pingJobs.runDue(), pingJobs.runDue()])
  for (const ping of state.pings) {
    const status = model.statusOf(state, ping)
    if (state.announced.get(ping) === status) continue
    state.announced.set(ping, status)
    announcePing(state, ping, 'UPDATE', ['ann', ...model.audienceOf(state, ping)])
  }
  for (const ping of state.pings.filter(({ expiresAt }) => expiresAt < state.now - 7 * dayMs))
    announceDeletion(state, ping)
}

async function doOnFriend(state: State, { deed, friend }: Extract<Step, { friend: Name }>): Promise<void> {
  const pair = model.pairOf('ann', friend)
  if (deed === 'befriend') {
    if (state.friendships.has(pair)) return
    await cast.unblock(cast.ann, cast[friend])
    await cast.server.befriend(cast[friend], cast.ann)
    state.friendships.add(pair)
    const unexpired = state.pings.filter((ping) => model.statusOf(state, ping) !== 'expired')
    for (const ping of unexpired) announceAccess(state, ping, friend, 'INSERT')
    return
  }
  if (state.friendships.has(pair)) for (const ping of state.pings) announceAccess(state, ping, friend, 'DELETE')
  if (deed === 'block') await cast.block(cast.ann, cast[friend])
  else await cast.unfriend(cast[friend], cast.ann)
  state.friendships.delete(pair)
}

/** An invitee gains or loses access. */
function announceAccess(state: State, ping: ModelPing, guest: Name, type: 'INSERT' | 'DELETE'): void {
  if (!ping.guests.includes(guest)) return
  announcePing(state, ping, type, [guest])
  for (const [name, answer] of ping.answers)
    announceAnswer(state, ping, name, type, answer, name === guest ? null : guest)
}

function announceDeletion(state: State, ping: ModelPing): void {
  for (const [name, answer] of ping.answers) announceAnswer(state, ping, name, 'DELETE', answer)
  announcePing(state, ping, 'DELETE', ['ann', ...model.audienceOf(state, ping)])
  state.pings = state.pings.filter((other) => other !== ping)
}

function announcePing(state: State, ping: ModelPing, type: ReceivedChange['eventType'], audience: Name[]): void {
  const number = state.made.indexOf(ping)
  for (const name of audience)
    note(state.announcements, `${name} ping ${number}`, `${type} ${model.statusOf(state, ping)}`)
}

/** Sends the change to everyone who sees the ping, or only to the given person. */
function announceAnswer(
  state: State,
  ping: ModelPing,
  responder: Name,
  type: ReceivedChange['eventType'],
  answer: ResponseType,
  only: Name | null = null,
): void {
  const audience = model.audienceOf(state, ping)
  if (!audience.includes(responder)) return
  const viewers: Name[] = ping.responsesVisible ? ['ann', ...audience] : ['ann', responder]
  const number = state.made.indexOf(ping)
  for (const name of viewers.filter((viewer) => only === null || viewer === only)) {
    note(state.announcements, `${name} answer ${number} of ${responder}`, `${type} ${answer}`)
  }
}
