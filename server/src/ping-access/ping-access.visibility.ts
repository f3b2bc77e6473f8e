import type { PingAccess } from '@hither/contract/pings.ts'
import { sql } from '../platform/db/statements.ts'
import { areBlocked } from '../relations/relations.visibility.ts'

/** The levels of signed-in users. For all others the ping does not exist. */
export type Access = Exclude<PingAccess, 'visitor'>

/**
 * The visibility rule of pings: an `Access` or null. It refers to `p`, a row of `location_pins`. A block ends a friendship,
 * so blocks are checked only for the public link. The end of a ping closes its public link.
 */
export const access = sql`
  case
    when p.user_id = ${'viewerId'} then 'owner'
    when exists (
      select 1 from ping_recipients r where r.ping_id = p.id and r.recipient_id = ${'viewerId'} and r.is_friend
    ) then 'invitee'
    when p.is_public and p.expires_at > ${'now'}
      and not ${areBlocked<'viewerId'>(sql`p.user_id`, sql`${'viewerId'}::uuid`)} then 'link'
  end`
