import { type PingId, type UserId } from '@hither/contract/ids.ts'
import { type PingResponse, type ResponseType } from '@hither/contract/pings.ts'
import { type Db } from '../platform/database.ts'
import { sql, statement } from '../platform/statements.ts'
import { type Sight } from './pings.rules.ts'
import { areFriends, blockedPairs, inviteeIds, sight } from './pings.sight.ts'

/** Holds one person's answer to one ping, whether or not there is one yet. */
export async function lockInvitation(db: Db, pingId: PingId, recipientId: UserId): Promise<void> {
  await invitationLock(db, { pingId, recipientId })
}

const invitationLock = statement`
  select 1 from ping_recipients where ping_id = ${'pingId'} and recipient_id = ${'recipientId'} for no key update`

/** What an answer is judged by, and who is told of it. */
export interface Asked {
  readonly user_id: UserId
  readonly responses_visible: boolean
  readonly expires_at: string
  readonly sight: Sight | null
  readonly invitee_ids: readonly UserId[]
  readonly blocked_pairs: readonly (readonly [UserId, UserId])[]
  readonly responder_username: string
  readonly response_type: ResponseType | null
  readonly created_at: string | null
  readonly updated_at: string | null
}

const asked = statement`
  select p.user_id, p.responses_visible, p.expires_at, ${sight} as sight, ${inviteeIds} as invitee_ids,
    ${blockedPairs} as blocked_pairs, u.username as responder_username, v.response_type, v.created_at, v.updated_at
  from location_pins p
  join users u on u.id = ${'viewerId'}
  left join ping_responses v on v.ping_id = p.id and v.user_id = u.id
  where p.id = ${'pingId'}`

/** Right for the rest of the transaction where the audience and the invitation are locked. */
export async function findAsked(db: Db, viewerId: UserId, pingId: PingId, now: Date): Promise<Asked | undefined> {
  const [row] = await asked<Asked>(db, { viewerId, pingId, now })
  return row
}

/** As the owner sees it: of someone who still is a friend. */
export async function findAnswer(db: Db, pingId: PingId, userId: UserId): Promise<PingResponse | undefined> {
  const [row] = await answer<PingResponse>(db, { pingId, userId })
  return row
}

const answer = statement`
  select v.ping_id, v.user_id, u.username, v.response_type, v.created_at, v.updated_at
  from ping_responses v join users u on u.id = v.user_id join location_pins p on p.id = v.ping_id
  where v.ping_id = ${'pingId'} and v.user_id = ${'userId'} and ${areFriends(sql`p.user_id`, sql`v.user_id`)}`

/** The first answer, or another in its place. Returned before it runs, so that it can go with the commit. */
export function upsertResponse(db: Db, response: { pingId: PingId; userId: UserId; type: ResponseType; now: Date }) {
  return upsert(db, response)
}

const upsert = statement`
  insert into ping_responses (ping_id, user_id, response_type, created_at, updated_at)
  values (${'pingId'}, ${'userId'}, ${'type'}, ${'now'}, ${'now'})
  on conflict (ping_id, user_id)
    do update set response_type = excluded.response_type, updated_at = excluded.updated_at`

export async function deleteResponse(db: Db, pingId: PingId, userId: UserId): Promise<void> {
  await db`delete from ping_responses where ping_id = ${pingId} and user_id = ${userId}`
}

/** Every invitation, response and creation record of a user. Their own pings are not touched. */
export async function deleteParticipation(db: Db, userId: UserId): Promise<void> {
  await db`delete from ping_responses where user_id = ${userId}`
  await db`delete from ping_recipients where recipient_id = ${userId}`
  await db`delete from ping_creations where user_id = ${userId}`
}
