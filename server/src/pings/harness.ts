import { blockUser, listFriends, removeFriend, unblockUser } from '@hither/contract/friends.ts'
import type { PingId, UserId } from '@hither/contract/ids.ts'
import {
  type ChangePing,
  type CreatePing,
  cancelPing,
  changePing,
  createPing,
  deletePing,
  getPing,
  invitePeople,
  listMyPings,
  listPings,
  listResponses,
  type Ping,
  type ResponseType,
  removeInvitee,
  removeResponse,
  respondToPing,
} from '@hither/contract/pings.ts'
import { type Person, startServer, type TestServer } from '../../test/harness.ts'
import { createTokens } from '../auth/tokens.ts'
import type { Places } from '../geo/places.ts'

export const minuteMs = 60_000
export const dayMs = 86_400_000
export const unknownPingId = '01900000-0000-7000-8000-000000000000' as PingId

// The secret that `startServer` signs access tokens with.
const authSecret = 'a secret for tests, long enough to sign'

export const pinNotFound = { status: 404, body: { detail: 'Pin not found or has expired', code: 'ping_not_found' } }
export const place = { name: 'Coffee', latitude: 45.52, longitude: -122.68 } as const

/** ann, who creates pings; bob and cat, her friends; eve, a stranger to all of them. */
export type Cast = Awaited<ReturnType<typeof startCast>>

export async function startCast(places?: Places, environment: Record<string, string> = {}) {
  const server = await startServer(environment, undefined, places)
  const [ann, bob, cat, eve] = await Promise.all([
    signUp(server, 'ann'),
    signUp(server, 'bob'),
    signUp(server, 'cat'),
    signUp(server, 'eve'),
  ])
  await server.befriend(ann, bob)
  await server.befriend(ann, cat)
  return { server, ann, bob, cat, eve, signUp: (name: string) => signUp(server, name), ...actionsOn(server) }
}

/** Signs up a user with a token that outlives every ping: the clock of these tests runs for months. */
async function signUp(server: TestServer, name: string): Promise<Person> {
  const person = await server.signUp(name)
  const { sid } = JSON.parse(String(Buffer.from(person.session.access_token.split('.')[1] ?? '', 'base64url')))
  const later = () => new Date(server.clock.now().getTime() + 3650 * dayMs)
  const { token } = createTokens(authSecret, later).issue(person.id, sid)
  return { ...person, session: { ...person.session, access_token: token } }
}

function actionsOn(server: TestServer) {
  const create = (who: Person, fields: Partial<CreatePing> = {}) =>
    server.call(createPing, { body: { ...place, ...fields } }, who)
  return {
    create,
    /** Creates a ping and fails the test if the server refuses it. */
    async drop(who: Person, fields: Partial<CreatePing> = {}): Promise<Ping> {
      const { status, body } = await create(who, fields)
      if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
      return body
    },
    /** Returns the time this many minutes from now, as a client would write it. */
    ahead: (minutes: number) => new Date(server.clock.now().getTime() + minutes * minuteMs).toISOString(),
    read: (id: PingId, who?: Person) => server.call(getPing, { params: { id } }, who),
    list: (who: Person) => server.call(listPings, { query: {} }, who),
    mine: (who: Person, query: { limit?: number; before?: PingId } = {}) => server.call(listMyPings, { query }, who),
    change: (id: PingId, change: ChangePing, who: Person) =>
      server.call(changePing, { params: { id }, body: change }, who),
    remove: (id: PingId, who: Person) => server.call(deletePing, { params: { id } }, who),
    invite: (id: PingId, people: readonly { id: UserId }[], who: Person) =>
      server.call(invitePeople, { params: { id }, body: { recipient_ids: people.map((person) => person.id) } }, who),
    uninvite: (id: PingId, person: Person, who: Person) =>
      server.call(removeInvitee, { params: { id, userId: person.id } }, who),
    cancel: (id: PingId, who: Person, message?: string) =>
      server.call(cancelPing, { params: { id }, body: message === undefined ? {} : { message } }, who),
    respond: (ping_id: PingId, response_type: ResponseType, who: Person, revision?: number) =>
      server.call(
        respondToPing,
        { body: { ping_id, response_type, ...(revision !== undefined && { revision }) } },
        who,
      ),
    takeBack: (id: PingId, who: Person) => server.call(removeResponse, { params: { id } }, who),
    answers: (id: PingId, who: Person) => server.call(listResponses, { params: { id } }, who),
    async unfriend(who: Person, other: Person) {
      const { body } = await server.call(listFriends, {}, who)
      const id = body.find((friend) => friend.user_id === other.id)?.id
      if (id) await server.call(removeFriend, { params: { id } }, who)
    },
    block: (who: Person, other: Person) => server.call(blockUser, { params: { username: other.username } }, who),
    unblock: (who: Person, other: Person) => server.call(unblockUser, { params: { username: other.username } }, who),
    clear: () => server.db`truncate location_pins, ping_recipients, ping_responses cascade`,
  }
}
