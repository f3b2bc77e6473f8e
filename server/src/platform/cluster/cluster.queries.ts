import type { Pool } from '../db/database.ts'

/** Returns a node number that no other running node uses. */
export async function takeNodeNumber(pool: Pool): Promise<number> {
  const [found] = await pool<
    [{ number: string }]
  >`update outbox_state set nodes_started = nodes_started + 1 returning nodes_started::text as number`
  return Number(found.number)
}

/** The id of this installation, which separates databases that share one Redis. */
export async function findInstallationId(pool: Pool): Promise<string> {
  const [found] = await pool<[{ installation_id: string }]>`select installation_id from outbox_state`
  return found.installation_id
}
