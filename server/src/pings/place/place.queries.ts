import type { PingId } from '@hither/contract/ids.ts'
import type { PingRow } from '@hither/contract/pings.ts'
import type { Tx } from '../../platform/db/database.ts'
import { sql, statement } from '../../platform/db/statements.ts'
import { pingColumns } from '../pings.visibility.ts'
import type { PlaceByAnswer, StoredArea } from './place.rules.ts'
import { placeByAnswer } from './place.visibility.ts'

const forInvitee = statement`
  select ${pingColumns()}, ${placeByAnswer(sql`'invitee'`)}
  from location_pins p join users o on o.id = p.user_id
  where p.id = ${'pingId'}`

/** Finds a ping with its exact place, its area, and what an invitee may know after each answer. */
export async function findForInvitee(
  tx: Tx,
  pingId: PingId,
  now: Date,
): Promise<(PingRow & StoredArea & PlaceByAnswer) | undefined> {
  const [row] = await forInvitee<PingRow & StoredArea & PlaceByAnswer>(tx, { pingId, now })
  return row
}
