import type { FeedChange } from '@hither/contract/feeds.ts'
import type { UserId } from '@hither/contract/ids.ts'
import type { Query, QueryClient } from '@tanstack/react-query'
import { keepInvalidated } from '../api/keep-invalidated.ts'
import { applyChange } from './apply-change.ts'

export interface ChangeApplier {
  /** Changes must be passed in the order in which they arrive. */
  apply: (change: FeedChange) => void
  /** Reads all cached data again, because it may have missed changes. */
  refetchAll: () => void
  stop: () => void
}

/**
 * Applies live changes to the cached queries. A request that was already on its way when a change arrived may return
 * data from before it, which would overwrite the change. Such changes are applied again after the response.
 */
export function createChangeApplier(queryClient: QueryClient, viewerId: UserId): ChangeApplier {
  /** The number of changes that had arrived when the running request of a query began. */
  const requests = new Map<Query, number>()
  /** The changes that have arrived since the oldest running request began. */
  let recent: FeedChange[] = []
  let arrived = 0
  /** The queries whose first response may be from before the missed changes. */
  const outdated = new WeakSet<Query>()

  for (const query of queryClient.getQueryCache().findAll({ fetchStatus: 'fetching' })) requests.set(query, 0)
  const stopKeeping = keepInvalidated(queryClient)
  const unsubscribe = queryClient.getQueryCache().subscribe((event) => {
    if (event.type === 'removed') return finish(event.query)
    if (event.type !== 'updated') return
    if (event.action.type === 'fetch') return void requests.set(event.query, arrived)
    if (event.query.state.fetchStatus !== 'idle') return
    const isOutdated = outdated.delete(event.query)
    finish(event.query, applyAgain)
    if (isOutdated) void queryClient.invalidateQueries({ queryKey: event.query.queryKey, exact: true })
  })

  function finish(query: Query, then?: (changes: readonly FeedChange[]) => void) {
    const since = requests.get(query)
    if (since === undefined) return
    requests.delete(query)
    const changes = recent.slice(recent.length - (arrived - since))
    if (requests.size === 0) recent = []
    then?.(changes)
  }

  function applyAgain(changes: readonly FeedChange[]) {
    for (const change of changes) applyChange(queryClient, change, viewerId)
  }

  return {
    apply(change) {
      arrived++
      if (requests.size > 0) recent.push(change)
      applyChange(queryClient, change, viewerId)
    },
    refetchAll() {
      // A request for newer data replaces a running one, but TanStack Query lets the first request of a query end.
      for (const query of requests.keys()) if (query.state.data === undefined) outdated.add(query)
      void queryClient.invalidateQueries()
    },
    stop() {
      stopKeeping()
      unsubscribe()
    },
  }
}
