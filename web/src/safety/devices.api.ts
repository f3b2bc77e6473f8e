import type { Session } from '@hither/contract/auth/auth.ts'
import type { SessionId } from '@hither/contract/ids.ts'
import { endOtherSessions, endSession, listSessions } from '@hither/contract/runtime/auth/auth.ts'
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
        (query: After<SessionId>) => call(listSessions, { query }, { signal }),
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
    (session) => call(endSession, { params: { id: session.id } }),
    (session) => (other) => other.id !== session.id,
  )
}

/** Signs all devices out except for this one. */
export function useEndOtherSessions() {
  return useListRemoval<Session, void>(
    sessionsQuery().queryKey,
    () => call(endOtherSessions, {}),
    () => (session) => session.is_current,
  )
}
