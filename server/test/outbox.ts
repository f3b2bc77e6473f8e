import { deleteOlderThan } from '../src/events/outbox.queries.ts'
import type { Pool } from '../src/platform/db/database.ts'

/** Deletes every event from the outbox, as the server does with each one minutes after its delivery. */
export async function emptyOutbox(pool: Pool): Promise<void> {
  let deleted: number
  do deleted = await deleteOlderThan(pool, 0, 1000)
  while (deleted > 0)
}
