import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { PingResponse, ResponseType } from '@hither/contract/pings.ts'
import { type Access, access } from '../../ping-access/ping-access.visibility.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/statements.ts'
import { hasTrips } from '../../trips/audience/trips.visibility.ts'
import { blockedPairs, inviteeIds } from '../pings.visibility.ts'
import { isPlaceByAnswer } from '../place/place.visibility.ts'

/** The data that decides whether a response is accepted and who is notified of it. */
export interface ResponseContext {
  /** The id of the ping. */
  readonly id: PingId
  /** The owner. */
  readonly user_id: UserId
  readonly is_place_by_answer: boolean
  readonly responses_visible: boolean
  readonly expires_at: string
  /** Whether the end of the ping has been announced, also if the clock of this node is slow. */
  readonly is_end_announced: boolean
  readonly revision: number
  readonly access: Access | null
  readonly invitee_ids: readonly UserId[]
  readonly blocked_pairs: readonly (readonly [UserId, UserId])[]
  /** Whether anybody shares a trip to the ping. */
  readonly has_trips: boolean
  readonly responder_username: string
  readonly responder_display_name: string | null
  readonly response_type: ResponseType | null
  readonly response_revision: number | null
  readonly created_at: string | null
  readonly updated_at: string | null
}

const context = statement`
  select p.id, p.user_id, ${isPlaceByAnswer} as is_place_by_answer, p.responses_visible, p.expires_at, p.announced_status = 'expired' as is_end_announced,
    p.revision, ${access} as access, ${inviteeIds} as invitee_ids,
    ${blockedPairs} as blocked_pairs, ${hasTrips} as has_trips, u.username as responder_username, u.display_name as responder_display_name,
    v.response_type, v.revision as response_revision, v.created_at, v.updated_at
  from location_pins p
  join users u on u.id = ${'viewerId'}
  left join ping_responses v on v.ping_id = p.id and v.user_id = u.id
  where p.id = ${'pingId'}`

/** Stays valid until the transaction ends if the invitation is locked. */
export async function findResponseContext(
  tx: Tx,
  viewerId: UserId,
  pingId: PingId,
  now: Date,
): Promise<ResponseContext | undefined> {
  const [row] = await context<ResponseContext>(tx, { viewerId, pingId, now })
  return row
}

/** Finds the response of a user who is still a friend of the owner, as the owner sees it. */
export async function findResponse(db: Db, pingId: PingId, userId: UserId): Promise<PingResponse | undefined> {
  const [row] = await answer<PingResponse>(db, { pingId, userId })
  return row
}

const answer = statement`
  select v.ping_id, v.user_id, u.username, u.display_name, v.response_type, v.revision, v.created_at, v.updated_at
  from ping_responses v join users u on u.id = v.user_id join location_pins p on p.id = v.ping_id
  where v.ping_id = ${'pingId'} and v.user_id = ${'userId'} and v.is_friend`

/** Adds or replaces a response. Returned before it runs, so that it can be sent with the commit. */
export function upsertResponse(
  tx: Tx,
  response: { pingId: PingId; userId: UserId; type: ResponseType; revision: number; now: Date },
) {
  return upsert(tx, response)
}

const upsert = statement`
  insert into ping_responses (ping_id, user_id, response_type, revision, created_at, updated_at)
  values (${'pingId'}, ${'userId'}, ${'type'}, ${'revision'}, ${'now'}, ${'now'})
  on conflict (ping_id, user_id)
    do update set response_type = excluded.response_type, revision = excluded.revision, updated_at = excluded.updated_at`

export async function deleteResponse(tx: Tx, pingId: PingId, userId: UserId): Promise<void> {
  await tx`delete from ping_responses where ping_id = ${pingId} and user_id = ${userId}`
}

/** Deletes every invitation, response and creation record of a user, but not their own pings. */
export async function deleteParticipation(tx: Tx, userId: UserId): Promise<void> {
  await tx`delete from ping_responses where user_id = ${userId}`
  await tx`delete from ping_guests where user_id = ${userId}`
  await tx`delete from ping_recipients where recipient_id = ${userId}`
  await tx`delete from ping_creations where user_id = ${userId}`
}
