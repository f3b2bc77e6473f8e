import type { Pool } from '../platform/db/database.ts'

/** The id of this installation, which separates databases that share one Redis. */
export async function findInstallationId(pool: Pool): Promise<string> {
  const [found] = await pool<[{ installation_id: string }]>`select installation_id from outbox_state`
  return found.installation_id
}
