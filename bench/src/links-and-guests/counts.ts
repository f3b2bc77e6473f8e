import { randomBytes } from 'node:crypto'
import { type AuthSession, signup } from '@hither/contract/auth/auth.ts'
import {
  acceptFriendLink,
  type CreatedFriendLink,
  createFriendLink,
  listFriendLinks,
  lookUpFriendLink,
  type NewFriendLink,
  revokeFriendLink,
} from '@hither/contract/friend-links.ts'
import { sendFriendRequest } from '@hither/contract/friends.ts'
import { createGuest, type GuestView, getGuest } from '@hither/contract/guests.ts'
import type { Operation } from '@hither/contract/operation.ts'
import { type CreatePing, createPing, listPings, respondToPing } from '@hither/contract/pings.ts'
import { filledPath, splitAddress } from '@hither/contract/runtime/address.ts'
import { guestLimits } from '@hither/contract/runtime/guests.ts'
import { pingLimits } from '@hither/contract/runtime/pings.ts'
import { userLimits } from '@hither/contract/runtime/users.ts'
import type { Pool } from '../../../server/src/platform/db/database.ts'
import { password } from '../data-set.ts'
import { startProduct } from '../http/product.ts'
import { type Listening, tap } from '../http/tap.ts'
import type { Measured } from '../process.ts'
import { printTable } from '../table.ts'
import type { Before } from './before.ts'

const longestNames = {
  username: 'bench_ann'.padEnd(userLimits.usernameMax, 'x'),
  display_name: 'x'.repeat(userLimits.displayNameMax),
}
const longestTexts = {
  name: 'Bench'.padEnd(pingLimits.nameMax, 'x'),
  message: 'x'.repeat(pingLimits.messageMax),
  address: 'x'.repeat(pingLimits.addressMax),
}

interface Count {
  readonly statements: number
  readonly roundTrips: number
  readonly bytes: number
}

interface Counted extends Count {
  readonly name: string
  readonly limit: Partial<Count>
}

/** A server behind a proxy that records its statements. */
interface Recorded {
  readonly line: Listening
  readonly server: Measured
  readonly pool: Pool
}

/** Counts the statements, round trips and response bytes of the calls that have a budget. Returns whether all are within it. */
export async function countStatements(
  { url, pool }: { url: string; pool: Pool },
  before: Before | null,
): Promise<boolean> {
  const line = await tap(url)
  const server = await startProduct({ url: line.url }, { RATE_LIMITS: 'off', LOAD_SHEDDING: 'off' })
  const counted: Counted[] = []
  try {
    const now = { line, server, pool }
    const earlier = before && (await countBefore(before))
    counted.push(...(await countLinks(now)), ...(await countSignUps(now, earlier?.signUp)))
    counted.push(...(await countGuests(now, earlier?.answer)))
  } finally {
    await server.stop()
    await line.close()
  }
  const isExceeded = ({ limit, ...count }: Counted) =>
    Object.entries(limit).some(([key, most]) => count[key as keyof Count] > most)
  const limitText = ({ statements, roundTrips, bytes }: Partial<Count>) =>
    [
      statements !== undefined && `${statements} statements`,
      roundTrips !== undefined && `${roundTrips} round trips`,
      bytes !== undefined && `${bytes} bytes`,
    ]
      .filter(Boolean)
      .join(', ')
  printTable('Friend links and guests: statements without begin and commit, round trips, bytes of the response', [
    ['call', 'statements', 'round trips', 'bytes', 'budget', ''],
    ...counted.map((one) => [
      one.name,
      ...[one.statements, one.roundTrips, one.bytes].map(String),
      limitText(one.limit) && `≤ ${limitText(one.limit)}`,
      isExceeded(one) ? 'EXCEEDED' : '',
    ]),
  ])
  return !counted.some(isExceeded)
}

async function countLinks(recorded: Recorded): Promise<Counted[]> {
  const { ann, bob, reset } = await openCast(recorded)
  const make = async (link: Partial<NewFriendLink> = {}, by = ann) => {
    const body = { kind: 'link', ...link }
    const { id, url } = (await ask(recorded, createFriendLink, { body }, by)).body as CreatedFriendLink
    return { id, code: url.split('#')[1] }
  }
  const one = (name: string, limit: Partial<Count>, prepare: () => Promise<Input>, operation: Operation, by?: string) =>
    count(recorded, name, limit, { prepare, operation, by, reset })
  const code = async (link: Partial<NewFriendLink> = {}) => ({ body: { code: (await make(link)).code } })
  const accept = { statements: 9, roundTrips: 5 }
  return [
    await one('look up a link, visitor', { statements: 1, roundTrips: 1 }, code, lookUpFriendLink),
    await one('look up a link, signed in', { statements: 1, roundTrips: 1 }, code, lookUpFriendLink, bob),
    await one('use a link for 1 friend', accept, code, acceptFriendLink, bob),
    await one('use a QR code', accept, () => code({ kind: 'qr' }), acceptFriendLink, bob),
    await one('use a link for 5 friends', accept, () => code({ uses: 5 }), acceptFriendLink, bob),
    await one(
      'use a link whose creator has sent a request',
      accept,
      async () => {
        await ask(recorded, sendFriendRequest, { body: { username: 'bench_bob' } }, ann)
        return code({ uses: 5 })
      },
      acceptFriendLink,
      bob,
    ),
    await one('create a link', { statements: 2 }, async () => ({ body: { kind: 'link' } }), createFriendLink, ann),
    await one(
      'create a sixth QR code',
      { statements: 2 },
      async () => {
        for (let made = 0; made < 5; made++) await make({ kind: 'qr' })
        return { body: { kind: 'qr' } }
      },
      createFriendLink,
      ann,
    ),
    await one('list links', { statements: 1 }, async () => make().then(() => ({})), listFriendLinks, ann),
    await one(
      'revoke a link',
      { statements: 1 },
      async () => ({ params: { id: (await make()).id } }),
      revokeFriendLink,
      ann,
    ),
  ]
}

async function countSignUps(recorded: Recorded, before: Count | undefined): Promise<Counted[]> {
  const { ann, reset } = await openCast(recorded)
  const code = async () => {
    const link = { body: { kind: 'link' } }
    const { url } = (await ask(recorded, createFriendLink, link, ann)).body as CreatedFriendLink
    return { friend_code: url.split('#')[1] }
  }
  const plain = await countSignUp(recorded, before ? { statements: before.statements } : {})
  const withCode = { prepare: async () => ({ body: { ...account(), ...(await code()) } }), operation: signup, reset }
  const most = { statements: plain.statements + 8 }
  return [plain, await count(recorded, 'sign up with a friend link', most, withCode)]
}

function countSignUp(recorded: Recorded, limit: Partial<Count>): Promise<Counted> {
  const call = { prepare: async () => ({ body: account() }), operation: signup, reset: async () => undefined }
  return count(recorded, 'sign up', limit, call)
}

async function countGuests(recorded: Recorded, before: Count | undefined): Promise<Counted[]> {
  const { ann, reset, makePing } = await openCast(recorded)
  const guest = (name = 'Mia Bergström') => ({
    token: randomBytes(32).toString('base64url'),
    name,
    response_type: 'accepted',
  })
  const respond = async (id: string, name?: string) => {
    const body = guest(name)
    const { guest: added } = (await ask(recorded, createGuest, { params: { id }, body })).body as GuestView
    return { added, headers: { authorization: `Guest ${body.token}` } }
  }
  return [
    await count(
      recorded,
      'respond as a guest',
      { statements: 6, roundTrips: 3 },
      {
        prepare: async () => ({ params: { id: await makePing('open') }, body: guest() }),
        operation: createGuest,
        reset,
      },
    ),
    await count(
      recorded,
      'read the own response as a guest',
      { statements: 1, bytes: 1500 },
      {
        prepare: async () => {
          const id = await makePing('open')
          return { params: { id }, headers: (await respond(id)).headers }
        },
        operation: getGuest,
        reset,
      },
    ),
    await count(
      recorded,
      'read the own response as a guest, longest texts',
      { statements: 1 },
      {
        prepare: async () => {
          await recorded.pool`update users set username = ${longestNames.username}, display_name = ${longestNames.display_name} where username = 'bench_ann'`
          const id = await makePing('open', longestTexts)
          return { params: { id }, headers: (await respond(id, 'x'.repeat(guestLimits.nameMax))).headers }
        },
        operation: getGuest,
        reset,
      },
    ),
    await count(
      recorded,
      'list pings',
      { statements: 1 },
      { prepare: async () => ({}), operation: listPings, by: ann, reset },
    ),
    await countAnswer(recorded, before ? { statements: before.statements, roundTrips: before.roundTrips } : {}),
  ]
}

async function countAnswer(recorded: Recorded, limit: Partial<Count>): Promise<Counted> {
  const { ann, bob, reset, makePing } = await openCast(recorded)
  const prepare = async () => {
    const { body } = await ask(recorded, sendFriendRequest, { body: { username: 'bench_bob' } }, ann)
    const path = `/api/friends/${(body as { id: string }).id}/respond`
    await send(recorded.server.url, 'PATCH', path, { body: { action: 'accepted' }, headers: bearer(bob) })
    return { body: { ping_id: await makePing('off'), response_type: 'accepted' } }
  }
  return count(recorded, 'respond as an invitee', limit, { prepare, operation: respondToPing, by: bob, reset })
}

async function countBefore(before: Before): Promise<{ signUp: Count; answer: Count }> {
  const line = await tap(before.url)
  const server = await before.start(line.url)
  try {
    const recorded = { line, server, pool: before.pool }
    const [signUp, answer] = [await countSignUp(recorded, {}), await countAnswer(recorded, {})]
    printTable('The version before', [
      ['call', 'statements', 'round trips'],
      ...[signUp, answer].map(({ name, statements, roundTrips }) => [name, String(statements), String(roundTrips)]),
    ])
    return { signUp, answer }
  } finally {
    await server.stop()
    await line.close()
  }
}

/** Two users of the server with everything that the calls need. `reset` deletes what the calls leave. */
async function openCast(recorded: Recorded) {
  const { pool } = recorded
  const reset = async () => {
    await pool`delete from friendships where requester_id in (select id from users where username like 'bench\\_%')`
    await pool`delete from friend_requests where from_user_id in (select id from users where username like 'bench\\_%')`
    await pool`delete from location_pins where name like 'Bench%'`
    if ((await pool`select to_regclass('friend_links') as name`)[0]?.['name']) await pool`delete from friend_links`
  }
  await pool`delete from users where username in ('bench_ann', 'bench_bob')`
  const open = async (username: string) => {
    const body = { ...account(), username }
    return ((await ask(recorded, signup, { body })).body as AuthSession).access_token
  }
  const [ann, bob] = [await open('bench_ann'), await open('bench_bob')]
  return {
    ann,
    bob,
    reset,
    async makePing(guest_policy: 'off' | 'open', texts: Partial<CreatePing> = {}): Promise<string> {
      const place = { name: 'Bench', latitude: 45.5, longitude: -122.6, address: '1 Main Street, Portland, Oregon' }
      const guests = guest_policy === 'off' ? {} : { is_public: true, guest_policy }
      const body = { ...place, message: 'Ring twice, the bell is quiet.', ...guests, ...texts }
      return ((await ask(recorded, createPing, { body }, ann)).body as { id: string }).id
    },
  }
}

interface Input {
  readonly params?: Readonly<Record<string, string>>
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

interface Call {
  readonly operation: Operation
  readonly by?: string | undefined
  /** Makes what one call needs. Its statements do not count. */
  readonly prepare: () => Promise<Input>
  readonly reset: () => Promise<unknown>
}

async function count(
  recorded: Recorded,
  name: string,
  limit: Partial<Count>,
  { operation, by, prepare, reset }: Call,
): Promise<Counted> {
  const counts: Count[] = []
  // Each connection prepares each statement once, and jobs of the server run in between: the least of the later calls counts.
  for (let round = 0; round < 16; round++) {
    const input = await prepare()
    recorded.line.start()
    const { text } = await ask(recorded, operation, input, by)
    const { statements, roundTrips } = recorded.line.stop()
    const own = statements.filter(({ text }) => !/^(?:begin|commit)\b/i.test(text.trim()))
    counts.push({ statements: own.length, roundTrips, bytes: Buffer.byteLength(text) })
    await reset()
  }
  const least = (figure: (count: Count) => number) => Math.min(...counts.slice(8).map(figure))
  const statements = least((one) => one.statements)
  return { name, limit, statements, roundTrips: least((one) => one.roundTrips), bytes: least((one) => one.bytes) }
}

function ask({ server }: Recorded, { address }: Operation, input: Input, by?: string) {
  const { params = {}, body, headers = by === undefined ? {} : bearer(by) } = input
  return send(server.url, splitAddress(address).method, `/api${filledPath(address, params)}`, {
    ...(body && { body }),
    headers,
  })
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

async function send(url: string, method: string, path: string, { body, headers }: Input) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`)
  return { text, body: text === '' ? null : (JSON.parse(text) as unknown) }
}

function account() {
  const username = `bench_${randomBytes(6).toString('hex')}`
  return { email: `${username}@example.org`, password, username }
}
