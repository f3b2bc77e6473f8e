import type { PingId } from '@hither/contract/ids.ts'
import type { OwnPing, Ping, ShownPing } from '@hither/contract/pings.ts'
import { pageMax } from '@hither/contract/runtime/pages.ts'
import { type QueryClient, queryOptions, replaceEqualDeep } from '@tanstack/react-query'
import { type After, allPages } from '../api/all-pages.ts'
import { serverNow } from '../api/server-time.ts'
import { ApiError, call } from '../api/transport.ts'

/** Pending and active pings of the viewer, and of friends who invited them. Those of friends have no recipients, see `pingQuery`. */
export function pingsQuery() {
  return queryOptions({
    queryKey: ['pings', 'list'],
    queryFn: ({ signal }) =>
      allPages(
        (page: After<PingId>) => call('GET /pings/', { query: { recipients: 'own', ...page } }, { signal }),
        (ping) => ping.id,
      ),
    structuralSharing: shareById,
  })
}

/** The viewer's own pings, as many pages as are loaded. */
export function myPingsQuery() {
  const queryKey = ['pings', 'mine'] as const
  return queryOptions({
    queryKey,
    queryFn: async ({ signal, client }): Promise<OwnPing[]> => {
      // The viewer may load another page during this read.
      const loaded = () => client.getQueryData<OwnPing[]>(queryKey)?.length ?? 0
      const pings = await call('GET /pings/my-pings', { query: {} }, { signal })
      let hasMore = pings.length >= pageMax
      while (hasMore && pings.length < loaded()) {
        const page = await call('GET /pings/my-pings', { query: pageAfter(pings) }, { signal })
        pings.push(...page)
        hasMore = page.length >= pageMax
      }
      return pings
    },
    structuralSharing: shareById,
  })
}

/**
 * Leaves a ping that does not change the same object, wherever it moves in the list, so that its memoized row does not
 * render again. By default, TanStack Query compares the items by their index: a new ping at the start would change all others.
 */
function shareById(before: unknown, after: unknown): unknown {
  if (!isListOfPings(before) || !isListOfPings(after)) return after
  const known = new Map(before.map((ping) => [ping.id, ping]))
  const shared = after.map((ping) => replaceEqualDeep(known.get(ping.id), ping))
  return shared.length === before.length && shared.every((ping, index) => ping === before[index]) ? before : shared
}

function isListOfPings(data: unknown): data is readonly Ping[] {
  return Array.isArray(data)
}

/**
 * Loads a page of the viewer's own pings and adds it to the cached ones. It is a query, so that changes that arrive meanwhile
 * are applied again after the response.
 */
function myPingsPageQuery(position: { before?: PingId }) {
  return queryOptions({
    queryKey: ['pings', 'page', position] as const,
    queryFn: async ({ signal, client }): Promise<OwnPing[]> => {
      const page = await call('GET /pings/my-pings', { query: position }, { signal })
      client.setQueryData(myPingsQuery().queryKey, (pings = []) => {
        const known = new Set(pings.map(({ id }) => id))
        return [...pings, ...page.filter(({ id }) => !known.has(id))]
      })
      return page
    },
    retry: false,
    staleTime: 0,
    gcTime: 0,
    meta: { persisted: false },
  })
}

/** Loads the next page of the viewer's own pings. Resolves to whether there may be more pages. */
export async function loadMoreMyPings(queryClient: QueryClient): Promise<boolean> {
  const loaded = queryClient.getQueryData(myPingsQuery().queryKey) ?? []
  const page = await queryClient.query(myPingsPageQuery(pageAfter(loaded)))
  return page.length >= pageMax
}

/** The next page starts after the oldest expired ping. */
function pageAfter(pings: readonly Ping[]) {
  const expired = pings.filter(({ expires_at }) => new Date(expires_at).getTime() <= serverNow())
  const oldest = expired.reduce<Ping | null>((last, ping) => (last && isNewer(ping, last) ? last : ping), null)
  return oldest ? { before: oldest.id } : {}
}

function isNewer(a: Ping, b: Ping): boolean {
  return a.created_at > b.created_at || (a.created_at === b.created_at && a.id > b.id)
}

/** `null` if the ping does not exist or the viewer may not see it. */
export function pingQuery(pingId: PingId) {
  return queryOptions({
    queryKey: ['pings', 'one', pingId],
    queryFn: async ({ signal }): Promise<ShownPing | null> => {
      try {
        return await call('GET /pings/:id', { params: { id: pingId } }, { auth: 'optional', signal })
      } catch (error) {
        // A mistyped or cut address does not contain a valid id.
        if (error instanceof ApiError && (error.status === 404 || error.status === 422)) return null
        throw error
      }
    },
  })
}
