import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { PingRow, ResponseCounts, ResponseType } from '@hither/contract/pings.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { sql, statement } from '../../platform/db/statements.ts'
import { areBlocked } from '../../relations/relations.visibility.ts'
import { responseCounts } from '../guests/guests.visibility.ts'
import * as shown from '../pings.visibility.ts'

/** What a notification says about a ping, for somebody who has responded to it or owns it. */
export interface PingNotice
  extends Pick<
    PingRow,
    | 'id'
    | 'user_id'
    | 'username'
    | 'display_name'
    | 'name'
    | 'is_unnamed'
    | 'status'
    | 'activates_at'
    | 'expires_at'
    | 'place_revision'
    | 'time_revision'
    | 'canceled_at'
    | 'cancel_message'
  > {
  /** The person's own response, which a friend gives as an invitee, and somebody else as an approved guest. */
  readonly response: { readonly response_type: ResponseType; readonly revision: number } | null
  /** For the owner. */
  readonly counts: ResponseCounts | null
}

const viewer = sql`${'viewerId'}::uuid`

// The public link of a canceled ping is closed, so this does not use the visibility rule of links.
const ownResponse = sql`(
  select json_build_object('response_type', r.response_type, 'revision', r.revision)
  from (
    select v.response_type, v.revision from ping_responses v
    where v.ping_id = p.id and v.user_id = ${viewer} and v.is_friend
    union all
    select g.response_type, g.revision from ping_guests g
    where g.ping_id = p.id and g.user_id = ${viewer} and g.state = 'approved' and p.is_public
      and not ${areBlocked<'viewerId'>(sql`p.user_id`, viewer)}
  ) r limit 1)`

const notice = statement`
  select p.id, p.user_id, o.username, o.display_name, p.name, p.is_unnamed, ${shown.status} as status, p.activates_at, p.expires_at,
    p.place_revision, p.time_revision, p.canceled_at, p.cancel_message, ${ownResponse} as response,
    case when p.user_id = ${viewer} then ${responseCounts} end as counts
  from location_pins p join users o on o.id = p.user_id
  where p.id = ${'pingId'}`

/** Must be limited to the owner and people with a response: it finds the ping for everybody. */
export async function findNotice(db: Db, viewerId: UserId, pingId: PingId, now: Date): Promise<PingNotice | undefined> {
  const [row] = await notice<PingNotice>(db, { viewerId, pingId, now })
  return row
}

const changePushed = statement`
  with guest as (
    update ping_guests set change_pushed_at = ${'at'} where ping_id = ${'pingId'} and user_id = ${'userId'}
  )
  update ping_responses set change_pushed_at = ${'at'} where ping_id = ${'pingId'} and user_id = ${'userId'}`

/** Stores that a person was notified of a change of a ping. */
export async function updateChangePushed(tx: Tx, pingId: PingId, userId: UserId, at: Date): Promise<void> {
  await changePushed(tx, { pingId, userId, at })
}
