import { listFriends } from '@hither/contract/friends.ts'
import { approveGuest, removeGuest } from '@hither/contract/guests.ts'
import type { GuestId, PingId } from '@hither/contract/ids.ts'
import type {
  ChangePing,
  CreatePing,
  Guest,
  GuestPolicy,
  Ping,
  PingResponse,
  ResponseType,
} from '@hither/contract/pings.ts'
import { arriveAtPing, shareTrip, stopTrip, type Trip } from '@hither/contract/trips.ts'
import { exportAccountWithPassword, updateUser } from '@hither/contract/users.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { actionsOn } from '../../src/messages/harness.ts'
import { type Cast, startCast } from '../../src/pings/guests/harness.ts'
import { minuteMs, place } from '../../src/pings/harness.ts'
import * as pings from '../../src/pings/pings.model.ts'
import { type Name, names, pairOf } from '../../src/pings/pings.model.ts'
import { type Listener, type Person, password, type ReceivedChange } from '../harness.ts'
import {
  answerFact,
  type Chat,
  factsAllowed,
  guestFact,
  mayKnow,
  messageFact,
  type OwnersView,
  type Pin,
  pinFact,
  reactionFact,
  type SentMessage,
  tripFact,
  type World,
} from './visibility-model.rules.ts'

/** Each seed is one sequence of steps. To try others: `VISIBILITY_SEEDS=7,8,9`. */
const seeds = (process.env['VISIBILITY_SEEDS'] ?? '1,2,5,7,8,10').split(',').map(Number)
const stepsOfSeed = 80
/** Friends and conversations are read after every so many steps: a difference lasts. The pins are read after each. */
const stepsBetweenReads = 4
/** Everybody opens every pin after so many. */
const stepsBetweenPages = 10

const feeds = [
  ...(['location_pins', 'ping_responses', 'ping_guests', 'ping_trips'] as const),
  ...(['friendships', 'messages', 'message_reactions', 'chats', 'users'] as const),
] as const

let cast: Cast
let chatting: ReturnType<typeof actionsOn>

beforeAll(async () => {
  cast = await startCast()
  chatting = actionsOn(cast.server)
})

afterAll(() => cast.server.close())

it.each(seeds)(
  'whatever people do, each sees live and on reading what the rules allow, and no more (seed %i)',
  async (seed) => {
    const run = await begin(seed)
    for (let index = 0; index < stepsOfSeed; index++) {
      const known = new Map(names.map((name) => [name, names.filter((other) => mayKnow(run.world, name, other))]))
      await takeStep(run)
      await compare(run, known)
      if (index % stepsBetweenPages === stepsBetweenPages - 1) await comparePages(run)
    }
    await compareExports(run)
    for (const { listener } of run.devices.values()) await listener.close()
  },
  120_000,
)

interface Device {
  readonly listener: Listener
  applied: number
  readonly rows: Map<string, Map<string, Row>>
}

type Row = Record<string, unknown>

interface Run {
  readonly random: Random
  readonly world: World
  readonly people: Map<Name, Person>
  readonly devices: Map<Name, Device>
  /** A friend of everybody who takes part in nothing. When they change their name, all earlier changes have arrived. */
  readonly marker: Person
  readonly steps: string[]
  /** How many pins there have been. */
  dropped: number
  /** What the owners of the pins saw after the last step. */
  views: Map<PingId, OwnersView>
}

async function begin(seed: number): Promise<Run> {
  const everybody = await Promise.all([...names, 'max'].map((name) => cast.signUp(`${name}${seed}`)))
  const marker = everybody.pop() as Person
  const people = new Map(names.map((name, index) => [name, everybody[index] as Person]))
  const personOf = (name: Name) => people.get(name) as Person
  for (const person of people.values()) await cast.server.befriend(marker, person)
  const world: World = { ...pings.newModel(cast.server.clock.now().getTime()), pings: [], chats: [], messages: [] }
  for (const [a, b] of [
    ['ann', 'bob'],
    ['ann', 'cat'],
    ['bob', 'cat'],
  ] as const) {
    await cast.server.befriend(personOf(a), personOf(b))
    world.friendships.add(pairOf(a, b))
  }
  const group = await chatting.group(personOf('ann'), [personOf('bob'), personOf('cat')])
  const direct = await chatting.make(personOf('bob'), [personOf('cat')])
  world.chats.push(
    { id: group.id, label: 'group', isDirect: false, members: new Set(['ann', 'bob', 'cat']) },
    { id: direct.id, label: 'direct', isDirect: true, members: new Set(['bob', 'cat']) },
  )
  const devices = new Map<Name, Device>()
  const run: Run = {
    random: createRandom(seed),
    world,
    people,
    devices,
    marker,
    steps: [`seed ${seed}`],
    dropped: 0,
    views: new Map(),
  }
  for (const [name, person] of people) {
    const listener = await cast.server.listen(person, feeds)
    const device: Device = {
      listener,
      applied: listener.received.length,
      rows: new Map(feeds.map((table) => [table, new Map()])),
    }
    devices.set(name, device)
    for (const { id, username } of (await cast.server.call(listFriends, {}, person)).body)
      tableOf(device, 'friendships').set(id, { id, requester_username: username, requested_username: username })
    for (const { id, members } of world.chats) if (members.has(name)) tableOf(device, 'chats').set(id, { id })
  }
  // A pin with two who are going and a guest, so that fewer steps lead to something that may be hidden.
  const open: Visibility = { is_public: true, guest_policy: 'open', responses_visible: true, exact_place_for: 'going' }
  run.steps.push(await drop(run, 'ann', ['bob', 'cat'], 0, open))
  const [pin] = world.pings
  for (const name of ['bob', 'cat', 'eve'] as const) if (pin) await cast.respond(pin.id, 'accepted', personOf(name))
  for (const name of ['bob', 'cat'] as const) pin?.answers.set(name, 'accepted')
  await compare(run, new Map(names.map((name) => [name, names])))
  return run
}

/** A small generator of repeatable random numbers (mulberry32). */
function createRandom(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(next() * items.length)]
  return {
    chance: (share: number) => next() < share,
    pick,
    /** Of a list that is never empty. */
    one: <T>(...items: [T, ...T[]]): T => pick(items) as T,
    some: <T>(items: readonly T[]): T[] => items.filter(() => next() < 0.65),
  }
}
type Random = ReturnType<typeof createRandom>

/** What a step did, for the report of a failure; null if it is not possible now. */
type Step = (run: Run) => Promise<string | null>

async function takeStep(run: Run): Promise<void> {
  for (;;) {
    const step = run.random.one(...weighted)
    const done = await step(run)
    if (done === null) continue
    run.steps.push(done)
    return
  }
}

const isDone = ({ status }: { status: number }) => status < 300
const usernameOf = (run: Run, name: Name) => personIn(run, name).username
const personIn = (run: Run, name: Name) => run.people.get(name) as Person

function nameIn(run: Run, userId: unknown): Name | null {
  for (const [name, { id }] of run.people) if (id === userId) return name
  return null
}

/** A pin that has not ended. */
function livePin({ world, random }: Run): Pin | undefined {
  return random.pick(world.pings.filter((pin) => pings.statusOf(world, pin) !== 'expired'))
}

/** Those with an account whose responses the owner sees. */
function respondingTo(run: Run, pin: Pin): Set<Name> {
  const view = run.views.get(pin.id)
  const responses = [...(view?.responses ?? []), ...(view?.guests ?? [])]
  return new Set(responses.flatMap(({ user_id }) => nameIn(run, user_id) ?? []))
}

/** Counts what has to differ from one step to the next. */
let count = 0

const dropPin: Step = async (run) => {
  const { world, random } = run
  if (world.pings.filter((pin) => pings.statusOf(world, pin) !== 'expired').length >= 3) return null
  const owner = random.one<Name>('ann', 'ann', 'ann', 'bob')
  const guests = random.some(pings.friendsOf(world, owner))
  const isPublic = random.chance(0.85)
  if (guests.length === 0 && !(isPublic && random.chance(0.2))) return null
  return drop(run, owner, guests, random.one(0, 0, 0, 0, 20), {
    is_public: isPublic,
    guest_policy: random.one('open', 'open', 'open', 'open', 'approval', 'off'),
    responses_visible: random.chance(0.8),
    exact_place_for: random.one('everyone', 'invited', 'going'),
  })
}

type Visibility = Required<Pick<CreatePing, 'is_public' | 'guest_policy' | 'responses_visible' | 'exact_place_for'>>

async function drop(run: Run, owner: Name, guests: Name[], delayMinutes: number, visibility: Visibility) {
  const { world } = run
  const label = `p${++run.dropped}`
  const { id } = await cast.drop(personIn(run, owner), {
    ...visibility,
    name: `Pin ${++count}`,
    duration_minutes: 240,
    recipient_ids: guests.map((guest) => personIn(run, guest).id),
    ...(delayMinutes > 0 && { activates_at: cast.ahead(delayMinutes) }),
  })
  world.pings.push({
    ...{ id, owner, guests, label, everInvited: new Set(guests) },
    isPublic: visibility.is_public,
    responsesVisible: visibility.responses_visible,
    exactPlaceFor: visibility.exact_place_for,
    ...pings.timesOf(world.now, delayMinutes, 240),
    ...pings.newHistory(),
  })
  return `${owner} drops ${label} for ${guests.join()} in ${delayMinutes} minutes ${JSON.stringify(visibility)}`
}

const respond: Step = async (run) => {
  const pin = livePin(run)
  if (!pin) return null
  const who = run.random.pick(pings.audienceOf(run.world, pin))
  if (!who || (pin.answers.has(who) && run.random.chance(0.7))) return null
  const type = run.random.one<ResponseType>('accepted', 'accepted', 'accepted', 'accepted', 'tentative', 'declined')
  const { status } = await cast.respond(pin.id, type, personIn(run, who))
  if (status === 200) pin.answers.set(who, type)
  return `${who} responds ${type} to ${pin.label}: ${status}`
}

const respondAsGuest: Step = async (run) => {
  const pin = livePin(run)
  const who = run.random.pick(names)
  if (!pin || !who || pin.everInvited.has(who) || pings.accessOf(run.world, pin, who) !== 'link') return null
  if (respondingTo(run, pin).has(who) && run.random.chance(0.7)) return null
  const { status } = await cast.respond(pin.id, run.random.one('accepted', 'tentative'), personIn(run, who))
  return `${who} responds to ${pin.label} as a guest: ${status}`
}

const respondWithoutAccount: Step = async (run) => {
  const pin = livePin(run)
  if (!pin) return null
  return `Mia responds to ${pin.label}: ${(await cast.respondAs(pin.id, `Mia ${++count}`)).status}`
}

const decideOnGuest: Step = async (run) => {
  const pin = livePin(run)
  const guest = pin && run.random.pick(run.views.get(pin.id)?.guests ?? [])
  if (!pin || !guest) return null
  const params = { id: pin.id, guestId: guest.id as GuestId }
  const [operation, deed] = run.random.one([approveGuest, 'approves'] as const, [removeGuest, 'removes'] as const)
  const { status } = await cast.server.call(operation, { params }, personIn(run, pin.owner))
  return `${pin.owner} ${deed} guest ${guest.name} of ${pin.label}: ${status}`
}

const takeBack: Step = async (run) => {
  const pin = livePin(run)
  const who = pin && run.random.pick([...respondingTo(run, pin)])
  if (!pin || !who) return null
  const { status } = await cast.takeBack(pin.id, personIn(run, who))
  pin.answers.delete(who)
  return `${who} takes the response to ${pin.label} back: ${status}`
}

const travel: Step = async (run) => {
  const pin = livePin(run)
  if (!pin) return null
  const going = pings.audienceOf(run.world, pin).filter((name) => pin.answers.get(name) === 'accepted')
  const who = run.random.pick(run.random.chance(0.85) ? going : [pin.owner])
  if (!who) return null
  const params = { id: pin.id }
  const isTraveling = run.views.get(pin.id)?.trips.some(({ user_id }) => nameIn(run, user_id) === who) ?? false
  const deed = isTraveling ? run.random.one('shares', 'shares', 'arrives', 'stops') : 'shares'
  const { status } =
    deed === 'shares'
      ? await cast.server.call(
          shareTrip,
          { params, body: { eta_minutes: run.random.one(10, 30, 90) } },
          personIn(run, who),
        )
      : deed === 'arrives'
        ? await cast.server.call(arriveAtPing, { params, body: {} }, personIn(run, who))
        : await cast.server.call(stopTrip, { params }, personIn(run, who))
  return `${who} ${deed} a trip to ${pin.label}: ${status}`
}

const editPin: Step = async (run) => {
  const pin = livePin(run)
  if (!pin) return null
  const { random } = run
  const change: ChangePing = random.one<() => ChangePing>(
    () => ({ responses_visible: !pin.responsesVisible }),
    () => ({ exact_place_for: random.one('everyone', 'invited', 'going') }),
    () => ({ guest_policy: 'open' }),
    () => ({ name: `Pin ${++count}` }),
    () => ({ latitude: place.latitude, longitude: (++count % 18_000) / 100 }),
    () => ({ is_public: !pin.isPublic }),
    () => ({ guest_policy: random.one<GuestPolicy>('open', 'approval', 'off') }),
  )()
  const { status } = await cast.change(pin.id, change, personIn(run, pin.owner))
  if (status === 200) {
    pin.responsesVisible = change.responses_visible ?? pin.responsesVisible
    pin.isPublic = change.is_public ?? pin.isPublic
    if (change.exact_place_for) pin.exactPlaceFor = change.exact_place_for
  }
  return `${pin.owner} changes ${pin.label} ${JSON.stringify(change)}: ${status}`
}

/** Announces all responses, guests and trips again to those who see them. */
const showAgain: Step = async (run) => {
  const pin = livePin(run)
  if (!pin) return null
  const owner = personIn(run, pin.owner)
  if (pin.responsesVisible) await cast.change(pin.id, { responses_visible: false }, owner)
  const { status } = await cast.change(pin.id, { responses_visible: true }, owner)
  if (status === 200) pin.responsesVisible = true
  return `${pin.owner} hides the responses to ${pin.label} and shows them again: ${status}`
}

const invite: Step = async (run) => {
  const pin = livePin(run)
  if (!pin) return null
  const others = [...respondingTo(run, pin), ...pings.audienceOf(run.world, pin)]
  const who = run.random.pick(pings.friendsOf(run.world, pin.owner).filter((name) => !others.includes(name)))
  if (!who) return null
  const { status } = await cast.invite(pin.id, [personIn(run, who)], personIn(run, pin.owner))
  if (status === 200) {
    pin.guests = [...new Set([...pin.guests, who])]
    pin.everInvited.add(who)
  }
  return `${pin.owner} invites ${who} to ${pin.label}: ${status}`
}

const uninvite: Step = async (run) => {
  const pin = livePin(run)
  const who = pin && run.random.pick(pin.guests)
  if (!pin || !who) return null
  const { status } = await cast.uninvite(pin.id, personIn(run, who), personIn(run, pin.owner))
  if (status === 204) {
    pin.guests = pin.guests.filter((other) => other !== who)
    pin.answers.delete(who)
  }
  return `${pin.owner} removes ${who} from ${pin.label}: ${status}`
}

const endPin: Step = async (run) => {
  const pin = livePin(run)
  if (!pin) return null
  const owner = personIn(run, pin.owner)
  const deed = run.random.one('cancels', 'ends', 'deletes')
  if (deed === 'deletes') {
    await cast.remove(pin.id, owner)
    run.world.pings = run.world.pings.filter((other) => other !== pin)
    return `${pin.owner} deletes ${pin.label}`
  }
  const answer = await (deed === 'ends' ? cast.change(pin.id, { end: true }, owner) : cast.cancel(pin.id, owner))
  if (isDone(answer)) pin.expiresAt = run.world.now
  return `${pin.owner} ${deed} ${pin.label}: ${answer.status}`
}

const relate: Step = async (run) => {
  const { random, world } = run
  const pairs = names.flatMap((a) => names.filter((b) => b !== a).map((b) => [a, b] as const))
  const isBlocked = ([a, b]: readonly [Name, Name]) => pings.isBlocked(world, a, b)
  const areFriends = ([a, b]: readonly [Name, Name]) => pings.areFriends(world, a, b)
  const deed = random.one('befriends', 'befriends', 'befriends', 'unfriends', 'blocks', 'unblocks', 'unblocks')
  const isPossible = {
    befriends: (pair: readonly [Name, Name]) => !isBlocked(pair) && !areFriends(pair),
    unfriends: areFriends,
    // Seldom with ann, who owns most of the pins.
    blocks: (pair: readonly [Name, Name]) => !isBlocked(pair) && (!pair.includes('ann') || random.chance(0.2)),
    unblocks: ([a, b]: readonly [Name, Name]) => world.blocks.has(`${a}>${b}`),
  }[deed]
  const [a, b] = random.pick(pairs.filter(isPossible)) ?? []
  if (!a || !b) return null
  const [one, other] = [personIn(run, a), personIn(run, b)]
  if (deed === 'befriends') await cast.server.befriend(one, other)
  else await { unfriends: cast.unfriend, blocks: cast.block, unblocks: cast.unblock }[deed](one, other)
  if (deed === 'befriends') world.friendships.add(pairOf(a, b))
  if (deed === 'unfriends' || deed === 'blocks') world.friendships.delete(pairOf(a, b))
  if (deed === 'blocks') world.blocks.add(`${a}>${b}`)
  if (deed === 'unblocks') world.blocks.delete(`${a}>${b}`)
  return `${a} ${deed} ${b}`
}

const changeProfile: Step = async (run) => {
  const who = run.random.pick(names) as Name
  const { id } = personIn(run, who)
  const body = { display_name: `Name ${++count}` }
  const { status } = await cast.server.call(updateUser, { params: { id }, body }, personIn(run, who))
  return `${who} is called ${body.display_name}: ${status}`
}

const pass: Step = async ({ random, world }) => {
  const minutes = random.one(1, 10, 25)
  cast.server.clock.advance(minutes * minuteMs)
  world.now += minutes * minuteMs
  await cast.server.app.pingJobs.runDue()
  await cast.server.app.tripJobs.runDue()
  await cast.server.app.guestJobs.runDue()
  return `${minutes} minutes pass`
}

const chat: Step = async (run) => {
  const { random, world } = run
  const where = random.one(...(world.chats as [Chat, ...Chat[]]))
  // Mostly somebody who may.
  const who = random.pick(random.chance(0.9) ? [...where.members] : names) as Name
  const isClosed = where.isDirect && !pings.areFriends(world, 'bob', 'cat')
  if (isClosed && random.chance(0.8)) return null
  const person = personIn(run, who)
  const said = world.messages.filter((message) => message.chat === where.id && !message.isDeleted)
  const deed = random.one('sends', 'sends', 'sends', 'edits', 'deletes', 'reacts', 'reacts', 'unreacts')
  const isOwn = ['edits', 'deletes'].includes(deed) && random.chance(0.8)
  const message = random.pick(isOwn ? said.filter(({ sender }) => sender === who) : said)
  if (deed === 'sends') {
    const content = `Text ${++count}`
    const { status, body } = await chatting.send(where.id, person, content)
    if (status === 201)
      world.messages.push({
        ...{ id: body.message.id, chat: where.id, sender: who, content, isDeleted: false, reactions: new Map() },
      } satisfies SentMessage)
    return `${who} sends ${content} to ${where.label}: ${status}`
  }
  if (!message) return null
  const what = `${message.content} in ${where.label}`
  switch (deed) {
    case 'edits': {
      const content = `Text ${++count}`
      const { status } = await chatting.edit(message.id, person, content)
      if (status === 200) message.content = content
      return `${who} edits ${what}: ${status}`
    }
    case 'deletes': {
      const answer = await chatting.erase(message.id, person)
      if (isDone(answer)) message.isDeleted = true
      return `${who} deletes ${what}: ${answer.status}`
    }
    case 'reacts': {
      const emoji = random.one('👍', '🎉')
      const answer = await chatting.react(message.id, person, emoji)
      if (isDone(answer)) message.reactions.set(who, emoji)
      return `${who} reacts to ${what}: ${answer.status}`
    }
    default: {
      const { status } = await chatting.unreact(message.id, person)
      if (status === 204 && where.members.has(who)) message.reactions.delete(who)
      return `${who} takes a reaction to ${what} back: ${status}`
    }
  }
}

/** Ann leads the group. */
const changeGroup: Step = async (run) => {
  const [group] = run.world.chats
  const who = run.random.pick(names.filter((name) => name !== 'ann'))
  if (!group || !who) return null
  const [ann, other] = [personIn(run, 'ann'), personIn(run, who)]
  if (group.members.has(who)) {
    const answer = await chatting.remove(group.id, ann, other)
    if (isDone(answer)) group.members.delete(who)
    return `ann removes ${who} from the group: ${answer.status}`
  }
  const answer = await chatting.add(group.id, ann, other)
  if (isDone(answer)) group.members.add(who)
  return `ann adds ${who} to the group: ${answer.status}`
}

/** Every step with how often it is taken. */
const weights: [Step, number][] = [
  [relate, 10],
  [respond, 8],
  [travel, 7],
  [editPin, 5],
  [showAgain, 6],
  [chat, 7],
  [respondAsGuest, 6],
  [dropPin, 4],
  ...[respondWithoutAccount, decideOnGuest, takeBack, invite, uninvite, endPin, changeProfile, pass, changeGroup].map(
    (step): [Step, number] => [step, 1],
  ),
]
const weighted = weights.flatMap(([step, weight]) => Array<Step>(weight).fill(step)) as [Step, ...Step[]]

function tableOf(device: Device, table: string): Map<string, Row> {
  return device.rows.get(table) as Map<string, Row>
}

/** Waits until everything published so far has arrived, and applies it as a client does. Returns the changes. */
async function applyReceived(run: Run): Promise<Map<Name, readonly ReceivedChange[]>> {
  const display_name = `Mark ${++count}`
  await cast.server.call(updateUser, { params: { id: run.marker.id }, body: { display_name } }, run.marker)
  const changes = new Map<Name, readonly ReceivedChange[]>()
  for (const [name, device] of run.devices) {
    const { listener } = device
    await listener.until(({ table, new: row }) => table === 'users' && row['display_name'] === display_name)
    const received = listener.received.slice(device.applied).filter(({ new: row }) => row['id'] !== run.marker.id)
    device.applied = listener.received.length
    for (const change of received) applyChange(device, change)
    changes.set(name, received)
  }
  return changes
}

function applyChange(device: Device, { table, eventType, new: row, old }: ReceivedChange) {
  const rows = tableOf(device, table)
  if (eventType !== 'DELETE') return void rows.set(keyOf(table, row), row)
  rows.delete(keyOf(table, old))
  // As in the app, what belongs to a row ends with it.
  const parents: Record<string, readonly [string, string][]> = {
    location_pins: [
      ['ping_responses', 'ping_id'],
      ['ping_guests', 'ping_id'],
      ['ping_trips', 'ping_id'],
    ],
    chats: [
      ['messages', 'conversation_id'],
      ['message_reactions', 'conversation_id'],
    ],
    messages: [['message_reactions', 'message_id']],
  }
  for (const [child, column] of parents[table] ?? [])
    for (const [key, one] of tableOf(device, child)) if (one[column] === old['id']) tableOf(device, child).delete(key)
}

function keyOf(table: string, row: Row): string {
  if (table === 'ping_responses' || table === 'ping_trips') return `${row['ping_id']} ${row['user_id']}`
  return table === 'message_reactions' ? `${row['message_id']} ${row['user_id']}` : String(row['id'])
}

async function compare(run: Run, knownBefore: ReadonlyMap<Name, readonly Name[]>) {
  const received = await applyReceived(run)
  const lists = new Map<Name, readonly Ping[]>()
  await Promise.all(names.map(async (name) => lists.set(name, (await cast.list(personIn(run, name))).body)))
  run.views = new Map(
    run.world.pings.flatMap((pin) => {
      const view = lists.get(pin.owner)?.find(({ id }) => id === pin.id)
      return view ? [[pin.id, view]] : []
    }),
  )
  for (const name of names) {
    const allowed = inOrder(
      run,
      factsAllowed(run.world, name, run.views, (id) => nameIn(run, id)),
    )
    const context = `${name}, after:\n${run.steps.join('\n')}\n`
    const pinsRead = inOrder(run, pinFactsOf(run, lists.get(name) ?? []))
    expect(pinsRead, `the pins read by ${context}`).toEqual(allowed.filter((fact) => /^p\d/.test(fact)))
    if (run.steps.length % stepsBetweenReads === 0)
      expect(await readOthers(run, name), `what is read by ${context}`).toEqual(
        allowed.filter((fact) => !/^p\d/.test(fact)),
      )
    await readNewChats(run, name, received.get(name) ?? [])
    expect(factsLive(run, name), `what arrived live at ${context}`).toEqual(allowed)
    for (const { table, new: row } of received.get(name) ?? []) {
      if (table !== 'users') continue
      const who = nameIn(run, row['id'])
      const mayBe = who !== null && (knownBefore.get(name)?.includes(who) || mayKnow(run.world, name, who))
      expect([who, mayBe], `whose profile arrived live at ${context}`).toEqual([who, true])
    }
  }
}

/** The messages of a conversation for a viewer; null if they do not see it. */
async function historyOf(run: Run, { id }: Chat, viewer: Name) {
  const { status, body } = await chatting.open(id, personIn(run, viewer), { limit: 100 })
  return status === 200 ? body.message_details.messages : null
}

/** A client reads the history of a conversation that it is added to. */
async function readNewChats(run: Run, name: Name, received: readonly ReceivedChange[]) {
  const device = run.devices.get(name) as Device
  for (const { table, eventType, new: row } of received) {
    const chat = run.world.chats.find(({ id }) => id === row['id'])
    if (table !== 'chats' || eventType !== 'INSERT' || !chat) continue
    for (const message of (await historyOf(run, chat, name)) ?? []) {
      tableOf(device, 'messages').set(message.id, { ...message, conversation_id: chat.id })
      for (const { emoji, user_ids } of message.reactions)
        for (const user_id of user_ids) {
          const reaction = { message_id: message.id, conversation_id: chat.id, user_id, emoji }
          tableOf(device, 'message_reactions').set(keyOf('message_reactions', reaction), reaction)
        }
    }
  }
}

function pinFactsOf(run: Run, list: readonly Ping[]): string[] {
  const label = labels(run)
  return list.flatMap((ping) => [
    pinFact(label(ping.id), ping.status, ping.name, ping.place_radius_m === null),
    ...ping.responses.map((answer) => answerFact(label(ping.id), answer)),
    ...ping.guests.map((guest) => guestFact(label(ping.id), guest)),
    ...ping.trips.map((trip) => tripFact(label(ping.id), trip)),
  ])
}

/** The friends and conversations of a viewer, by HTTP. */
async function readOthers(run: Run, viewer: Name): Promise<string[]> {
  const { body: friends } = await cast.server.call(listFriends, {}, personIn(run, viewer))
  const facts = friends.map(({ username }) => `friend ${username}`)
  for (const chat of run.world.chats) {
    const messages = await historyOf(run, chat, viewer)
    if (messages !== null) facts.push(`chat ${chat.label}`)
    for (const { content, reactions } of messages ?? []) {
      facts.push(messageFact(chat.label, content))
      for (const { emoji, user_ids } of reactions)
        facts.push(...user_ids.map((id) => reactionFact(chat.label, content, emoji, String(nameIn(run, id)))))
    }
  }
  return inOrder(run, facts)
}

function factsLive(run: Run, viewer: Name): string[] {
  const device = run.devices.get(viewer) as Device
  const label = labels(run)
  const rowsOf = <T>(table: string) => [...tableOf(device, table).values()] as T[]
  const pins = rowsOf<Ping>('location_pins')
  const ended = new Set(pins.filter(({ status }) => status === 'expired').map(({ id }) => id))
  const ofPins = <T extends { ping_id: PingId }>(table: string, fact: (pin: string, row: T) => string) =>
    rowsOf<T>(table)
      .filter(({ ping_id }) => !ended.has(ping_id))
      .map((row) => fact(label(row.ping_id), row))
  const contentOf = (id: unknown) => String(tableOf(device, 'messages').get(String(id))?.['content'])
  const person = personIn(run, viewer)
  return inOrder(run, [
    ...rowsOf<Row>('friendships').map(
      ({ requester_username: one, requested_username: other }) => `friend ${one === person.username ? other : one}`,
    ),
    ...pins
      .filter(({ status }) => status !== 'expired')
      .map((pin) => pinFact(label(pin.id), pin.status, pin.name, pin.place_radius_m === null)),
    ...ofPins<PingResponse & { ping_id: PingId }>('ping_responses', answerFact),
    ...ofPins<Guest>('ping_guests', guestFact),
    ...ofPins<Trip>('ping_trips', tripFact),
    ...rowsOf<Row>('chats').map(({ id }) => `chat ${label(id)}`),
    ...rowsOf<Row>('messages').map((row) => messageFact(label(row['conversation_id']), String(row['content']))),
    ...rowsOf<Row>('message_reactions').map((row) =>
      reactionFact(
        label(row['conversation_id']),
        contentOf(row['message_id']),
        String(row['emoji']),
        String(nameIn(run, row['user_id'])),
      ),
    ),
  ])
}

function labels({ world }: Run) {
  const known = new Map([...world.pings, ...world.chats].map(({ id, label }) => [id as string, label]))
  return (id: unknown) => known.get(String(id)) ?? `unknown ${id}`
}

/** Without the marker, and with the names of the model. */
function inOrder(run: Run, facts: readonly string[]): string[] {
  const byUsername = names.map((name) => [usernameOf(run, name), name] as const)
  return facts
    .filter((fact) => fact !== `friend ${run.marker.username}`)
    .map((fact) => byUsername.reduce((text, [username, name]) => text.replaceAll(username, name), fact))
    .sort()
}

/** Everybody opens every pin. */
async function comparePages(run: Run) {
  for (const pin of run.world.pings)
    for (const viewer of names) {
      const access = pings.accessOf(run.world, pin, viewer)
      const { status, body } = await cast.read(pin.id, personIn(run, viewer))
      const context = `${viewer} opens ${pin.label}, after:\n${run.steps.join('\n')}\n`
      expect(status, context).toBe(access === null ? 404 : 200)
      if (access === null) continue
      const guest = run.views.get(pin.id)?.guests.find(({ user_id }) => nameIn(run, user_id) === viewer)
      const isGoing = guest?.state === 'approved' && guest.response_type === 'accepted'
      const isExact =
        pings.knowsPlace(run.world, pin, viewer) || (access === 'link' && pin.exactPlaceFor === 'going' && isGoing)
      expect([body.access, body.place_radius_m === null], context).toEqual([access, isExact])
    }
}

/** The own data contains one's messages that exist, also from conversations that one has left. */
async function compareExports(run: Run) {
  for (const [name, person] of run.people) {
    const { status, body } = await cast.server.call(exportAccountWithPassword, { body: { password } }, person)
    const own = run.world.messages.filter(({ sender, isDeleted }) => sender === name && !isDeleted)
    expect(status).toBe(200)
    expect(
      body.messages.map(({ content }) => content),
      `export of ${name}, after:\n${run.steps.join('\n')}\n`,
    ).toEqual(own.map(({ content }) => content))
  }
}
