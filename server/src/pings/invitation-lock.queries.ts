import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { Tx } from '../platform/db/database.ts'
import { statement } from '../platform/db/statements.ts'

/**
 * Locks the invitation of a user to a ping, whether or not it has a response, and then the ping: responses and trips of all
 * people are written one after another.
 */
export async function lockInvitation(tx: Tx, pingId: PingId, recipientId: UserId): Promise<void> {
  await invitationLock(tx, { pingId, recipientId })
}

const invitationLock = statement`
  select
    (select count(*) from (
      select 1 from ping_recipients where ping_id = ${'pingId'} and recipient_id = ${'recipientId'} for no key update) i),
    (select count(*) from (select 1 from location_pins where id = ${'pingId'} for no key update) p)`
