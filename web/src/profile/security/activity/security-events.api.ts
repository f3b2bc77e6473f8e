import type { SecurityEvent } from '@hither/contract/auth/security-events.ts'
import type { SecurityEventId } from '@hither/contract/ids.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../api/transport.ts'

/** The latest changes to how the account can be entered, newest first. Changes by this session count as seen. */
export function securityEventsQuery() {
  return queryOptions({
    queryKey: ['profile', 'security-events'],
    queryFn: ({ signal }) => call('GET /auth/security-events', {}, { signal }),
    meta: { persisted: false },
  })
}

/** Marks this event and all older ones as seen, on all devices. Hides them at once. */
export function useMarkSeen() {
  const queryClient = useQueryClient()
  const { queryKey } = securityEventsQuery()
  return useMutation({
    mutationFn: (upTo: SecurityEventId) => call('POST /auth/security-events/seen', { body: { up_to: upTo } }),
    onMutate: async (upTo) => {
      await queryClient.cancelQueries({ queryKey })
      const seen_at = new Date().toISOString()
      queryClient.setQueryData<SecurityEvent[]>(queryKey, (events) => {
        const newest = events?.findIndex(({ id }) => id === upTo) ?? -1
        return events?.map((event, index) => (index < newest ? event : { ...event, seen_at: event.seen_at ?? seen_at }))
      })
    },
    onError: () => queryClient.invalidateQueries({ queryKey }),
  })
}
