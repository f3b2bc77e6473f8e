import type { Session } from '@hither/contract/auth/auth.ts'
import type { SessionId } from '@hither/contract/ids.ts'
import { queryOptions } from '@tanstack/react-query'
import { type After, allPages } from '../api/all-pages.ts'
import { call } from '../api/transport.ts'
import { useListRemoval } from '../api/use-list-removal.ts'

/** The viewer's signed-in devices, the most recently used first. */
export function sessionsQuery() {
  return queryOptions({
    queryKey: ['profile', 'sessions'],
    queryFn: ({ signal }) =>
      allPages(
        (query: After<SessionId>) => call('GET /auth/sessions', { query }, { signal }),
        (session) => session.id,
      ),
    // No live event announces a sign-in or a sign-out on another device.
    staleTime: 0,
  })
}

/** Signs one other device out. */
export function useEndSession() {
  return useListRemoval<Session, Session>(
    sessionsQuery().queryKey,
    (session) => call('DELETE /auth/sessions/:id', { params: { id: session.id } }),
    (session) => (other) => other.id !== session.id,
  )
}

/** Signs all devices out except for this one. */
export function useEndOtherSessions() {
  return useListRemoval<Session, void>(
    sessionsQuery().queryKey,
    () => call('DELETE /auth/sessions', {}),
    () => (session) => session.is_current,
  )
}
