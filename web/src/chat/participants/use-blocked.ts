import type { UserId } from '@hither/contract/ids.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { blockedQuery } from '../../friends/blocks.api.ts'

/**
 * Returns the users whom the viewer has blocked. Loads them only if `isNeeded`, because blocked users appear in groups
 * only. Undefined as long as they are unknown: then nothing may be shown that a blocked user might have sent.
 */
export function useBlocked(isNeeded: boolean): ReadonlySet<UserId> | undefined {
  const { data } = useQuery({ ...blockedQuery(), enabled: isNeeded })
  const blocked = useMemo(() => data && new Set(data.map(({ user_id }) => user_id)), [data])
  return isNeeded ? blocked : nobody
}

/** Nobody is blocked. */
export const nobody: ReadonlySet<UserId> = new Set()
