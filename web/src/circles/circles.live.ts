import type { QueryClient } from '@tanstack/react-query'
import { circlesQuery } from './circles.api.ts'

/**
 * Loads the circles again, because a change has only the number of members. Does nothing if this device has not used them. The
 * suggestions of Home show them without loading them.
 */
export function applyCircleChange(queryClient: QueryClient) {
  const { queryKey } = circlesQuery()
  void queryClient.invalidateQueries({ queryKey })
  const query = queryClient.getQueryCache().find({ queryKey })
  if (query?.state.data === undefined || query.isActive()) return
  // Without a network, they are loaded when a screen uses them.
  queryClient.query({ ...circlesQuery(), staleTime: 0 }).catch(() => undefined)
}
