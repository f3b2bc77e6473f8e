import { type Pool } from '../../../server/src/platform/database.ts'

/** Takes away the pings that were dropped since the data set was loaded, so that the next workload finds lists as long as before. */
export async function tidy(pool: Pool): Promise<void> {
  await pool`delete from location_pins where name = 'Coffee'`
  await pool`delete from ping_creations`
  await pool`delete from tombstones`
  await pool.unsafe('vacuum location_pins, ping_recipients, ping_responses, chats, chat_members, messages')
}
