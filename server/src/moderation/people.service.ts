import type { UserId } from '@hither/contract/ids.ts'
import type { AdminUser } from '@hither/contract/moderation.ts'
import { moderationLimits } from '@hither/contract/runtime/moderation.ts'
import { type AdminsDeps, assertAdmin } from './admins.service.ts'
import { listPeople } from './people.queries.ts'

/** Lists users by name, with only the fields that admins need. */
export async function listUsers(
  { pool, now }: AdminsDeps,
  adminId: UserId,
  page: { q?: string; only?: 'admins' | 'suspended'; after?: string; limit?: number },
): Promise<AdminUser[]> {
  await assertAdmin(pool, adminId)
  const { q = '', only = null, after = null, limit = moderationLimits.pageDefault } = page
  return listPeople(pool, { q: q.trim(), only, after, limit, now: now() })
}
