import { randomBytes } from 'node:crypto'
import {
  approveGuest,
  changeGuest,
  claimGuest,
  createGuest,
  type GuestView,
  getGuest,
  removeGuest,
  withdrawGuest,
} from '@hither/contract/guests.ts'
import type { GuestId, PingId } from '@hither/contract/ids.ts'
import type { Input, Operation, Reply } from '@hither/contract/operation.ts'
import type { CreatePing, Guest, GuestPolicy, OwnPing, ResponseType } from '@hither/contract/pings.ts'
import { filledPath, splitAddress } from '@hither/contract/runtime/address.ts'
import type { HttpReply, Person } from '../../../test/harness.ts'
import type { Places } from '../../geo/places.ts'
import { startCast as startPings } from '../harness.ts'

export const newToken = () => randomBytes(32).toString('base64url')

/** The cast of pings (ann owns; bob and cat are her friends; eve is a stranger) with the actions of guests. */
export type Cast = Awaited<ReturnType<typeof startCast>>

export async function startCast(places?: Places, environment: Record<string, string> = {}) {
  const cast = await startPings(places, environment)
  const { server } = cast

  /** Calls an operation with a guest token. */
  async function asGuest<O extends Operation>(operation: O, input: Input<O>, token: string) {
    const { params, body } = input as { params: { id: string }; body?: unknown }
    const path = `/api${filledPath(operation.address, { id: params.id })}`
    const headers = { authorization: `Guest ${token}` }
    return (await server.request(splitAddress(operation.address).method, path, { body, headers })) as HttpReply<
      Reply<O>
    >
  }

  const respond = (id: PingId, name = 'Mia', token = newToken(), response_type: ResponseType = 'accepted') =>
    server.call(createGuest, { params: { id }, body: { token, name, response_type } })
  return {
    ...cast,
    /** Creates a public ping of ann. */
    open: (guest_policy: GuestPolicy = 'open', fields: Partial<CreatePing> = {}) =>
      cast.drop(cast.ann, { is_public: true, message: 'Ring twice', address: '1 Main St', guest_policy, ...fields }),
    respondAs: respond,
    /** Adds a guest and fails the test if the server refuses it. */
    async addGuest(id: PingId, name = 'Mia', response_type: ResponseType = 'accepted') {
      const token = newToken()
      const { status, body } = await respond(id, name, token, response_type)
      if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
      return { token, guest: body.guest, view: body }
    },
    view: (id: PingId, token: string) => asGuest(getGuest, { params: { id } }, token),
    edit: (id: PingId, token: string, body: { name?: string; response_type?: ResponseType }) =>
      asGuest(changeGuest, { params: { id }, body }, token),
    withdraw: (id: PingId, token: string) => asGuest(withdrawGuest, { params: { id } }, token),
    claim: (id: PingId, token: string, who: Person) =>
      server.call(claimGuest, { params: { id }, body: { token } }, who),
    approve: (id: PingId, guestId: GuestId, who: Person = cast.ann) =>
      server.call(approveGuest, { params: { id, guestId } }, who),
    expel: (id: PingId, guestId: GuestId, who: Person = cast.ann) =>
      server.call(removeGuest, { params: { id, guestId } }, who),
    setPolicy: (id: PingId, guest_policy: GuestPolicy, who: Person = cast.ann) =>
      cast.change(id, { guest_policy }, who),
    async guestsSeenBy(id: PingId, who: Person): Promise<Guest[]> {
      return ((await cast.read(id, who)).body as OwnPing).guests
    },
    setPublic: (id: PingId, isPublic: boolean) =>
      server.db`update location_pins set is_public = ${isPublic} where id = ${id}`,
    rowsOf: (id: PingId) => server.db`select * from ping_guests where ping_id = ${id} order by created_at, id`,
    async fill(id: PingId, count: number): Promise<GuestView[]> {
      const replies = await Promise.all(Array.from({ length: count }, (_, index) => respond(id, `Guest ${index}`)))
      return replies.map(({ body }) => body)
    },
  }
}
