import type { PingId } from '@hither/contract/ids.ts'
import type { Ping } from '@hither/contract/pings.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Listener, type Person, type ReceivedChange, receivedBy } from '../../test/harness.ts'
import { type Cast, startCast } from './harness.ts'

// Bob and cat are both invited by ann. These tests check what each sees of the other while one has blocked the other.

let cast: Cast
let id: PingId
const listeners = new Map<Person, Listener>()
const seen = new Map<Person, number>()

beforeAll(async () => {
  cast = await startCast()
  for (const person of [cast.ann, cast.bob, cast.cat])
    listeners.set(person, await cast.server.listen(person, ['location_pins', 'ping_responses', 'users']))
})

afterAll(() => cast.server.close())

beforeEach(async () => {
  await cast.clear()
  await cast.unblock(cast.bob, cast.cat)
  ;({ id } = await cast.drop(cast.ann))
  await cast.respond(id, 'accepted', cast.bob)
  // Responses are sorted by time, and this clock does not advance by itself.
  cast.server.clock.advance(1)
  await cast.respond(id, 'tentative', cast.cat)
  for (const person of listeners.keys()) await newChanges(person)
})

const inWords = ({ table, eventType, new: row, old }: ReceivedChange) =>
  `${table} ${eventType} ${(eventType === 'DELETE' ? old : row)['user_id'] === cast.bob.id ? 'bob' : 'other'}`

/** The changes that a person has received since the last call. */
async function newChanges(person: Person): Promise<string[]> {
  const all = await receivedBy(cast.server, person, listeners.get(person) as Listener)
  const fresh = all.slice(seen.get(person) ?? 0)
  seen.set(person, all.length)
  return fresh.map(inWords)
}

/** The recipients and responses of the ping that a viewer gets, compared across all calls that return them. */
async function peopleFor(viewer: Person) {
  const read = (await cast.read(id, viewer)).body as Ping
  const listed = (await cast.list(viewer)).body.find((ping) => ping.id === id)
  const answers = (await cast.answers(id, viewer)).body
  expect(listed?.recipients.map(({ recipient_id }) => recipient_id)).toEqual(
    read.recipients.map((one) => one.recipient_id),
  )
  expect(answers).toEqual(read.responses)
  expect(listed?.responses).toEqual(read.responses)
  return {
    recipients: read.recipients.map(({ recipient_username }) => recipient_username),
    responses: read.responses.map(({ username }) => username),
  }
}

const both = { recipients: ['bob', 'cat'], responses: ['bob', 'cat'] }

describe('two invitees of whom one has blocked the other', () => {
  it('are left out of what each sees of the ping of a third user, who still sees both', async () => {
    expect(await peopleFor(cast.bob)).toEqual(both)
    await cast.block(cast.bob, cast.cat)
    expect(await peopleFor(cast.bob)).toEqual({ recipients: ['bob'], responses: ['bob'] })
    expect(await peopleFor(cast.cat)).toEqual({ recipients: ['cat'], responses: ['cat'] })
    expect(await peopleFor(cast.ann)).toEqual(both)
    await cast.unblock(cast.bob, cast.cat)
    for (const viewer of [cast.ann, cast.bob, cast.cat]) expect(await peopleFor(viewer)).toEqual(both)
  })

  it('lose each other’s responses live, receive no new ones, and get them back after the block ends', async () => {
    await cast.block(cast.bob, cast.cat)
    expect(await newChanges(cast.bob)).toEqual(['ping_responses DELETE other'])
    expect(await newChanges(cast.cat)).toEqual(['ping_responses DELETE bob'])
    await cast.respond(id, 'declined', cast.bob)
    await cast.takeBack(id, cast.cat)
    await cast.respond(id, 'accepted', cast.cat)
    expect(await newChanges(cast.bob)).toEqual(['ping_responses UPDATE bob'])
    expect(await newChanges(cast.cat)).toEqual(['ping_responses DELETE other', 'ping_responses INSERT other'])
    expect(await newChanges(cast.ann)).toHaveLength(3)
    await cast.unblock(cast.bob, cast.cat)
    expect(await newChanges(cast.bob)).toEqual(['ping_responses INSERT other'])
    expect(await newChanges(cast.cat)).toEqual(['ping_responses INSERT bob'])
    expect(await newChanges(cast.ann)).toEqual([])
  })
})
