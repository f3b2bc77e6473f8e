import { type PingId, type UserId } from '@hither/contract/ids.ts'
import { type PingResponse, type ResponseType } from '@hither/contract/pings.ts'
import { type Db } from '../platform/database.ts'
import { areFriends } from './pings.sight.ts'

/** Holds one person's answer to one ping, whether or not there is one yet. */
export async function lockInvitation(db: Db, pingId: PingId, recipientId: UserId): Promise<void> {
  await db`
    select 1 from ping_recipients where ping_id = ${pingId} and recipient_id = ${recipientId} for no key update`
}

export async function findResponse(db: Db, pingId: PingId, userId: UserId): Promise<PingResponse | undefined> {
  const [row] = await db<PingResponse[]>`
    select v.ping_id, v.user_id, u.username, v.response_type, v.created_at, v.updated_at
    from ping_responses v join users u on u.id = v.user_id
    where v.ping_id = ${pingId} and v.user_id = ${userId}`
  return row
}

/** As the owner sees it: of someone who still is a friend. */
export async function findAnswer(db: Db, pingId: PingId, userId: UserId): Promise<PingResponse | undefined> {
  const [row] = await db<PingResponse[]>`
    select v.ping_id, v.user_id, u.username, v.response_type, v.created_at, v.updated_at
    from ping_responses v join users u on u.id = v.user_id join location_pins p on p.id = v.ping_id
    where v.ping_id = ${pingId} and v.user_id = ${userId} and ${areFriends(db, db`p.user_id`, db`v.user_id`)}`
  return row
}

/** The first answer, or another in its place. */
export async function upsertResponse(
  db: Db,
  response: { pingId: PingId; userId: UserId; type: ResponseType; now: Date },
): Promise<PingResponse> {
  const { pingId, userId, type, now } = response
  const [row] = await db<[PingResponse]>`
    with written as (
      insert into ping_responses (ping_id, user_id, response_type, created_at, updated_at)
      values (${pingId}, ${userId}, ${type}, ${now}, ${now})
      on conflict (ping_id, user_id)
        do update set response_type = excluded.response_type, updated_at = excluded.updated_at
      returning ping_id, user_id, response_type, created_at, updated_at
    )
    select w.ping_id, w.user_id, u.username, w.response_type, w.created_at, w.updated_at
    from written w join users u on u.id = w.user_id`
  return row
}

export async function deleteResponse(db: Db, pingId: PingId, userId: UserId): Promise<void> {
  await db`delete from ping_responses where ping_id = ${pingId} and user_id = ${userId}`
}
