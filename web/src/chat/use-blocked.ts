import { type UserId } from '@hither/contract/ids.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { blockedQuery } from '../profile/profile.api.ts'

/** Whom the viewer has blocked. Asked only where `isNeeded`: nobody blocked is met outside of groups. */
export function useBlocked(isNeeded: boolean): ReadonlySet<UserId> {
  const { data } = useQuery({ ...blockedQuery(), enabled: isNeeded })
  return useMemo(() => new Set(data?.map(({ user_id }) => user_id)), [data])
}
