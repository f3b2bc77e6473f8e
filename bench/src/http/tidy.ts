import type { Pool } from '../../../server/src/platform/db/database.ts'

/** Deletes the pings that were created since the data set was loaded, so that the next workload reads lists of the same length. */
export async function tidy(pool: Pool): Promise<void> {
  await pool`delete from location_pins where name = 'Coffee'`
  await pool`delete from ping_creations`
  await pool`delete from tombstones`
  await pool.unsafe('vacuum location_pins, ping_recipients, ping_responses, chats, chat_members, messages')
}
