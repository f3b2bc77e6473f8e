import type { FeedChange } from '@hither/contract/feeds.ts'
import type { UserId } from '@hither/contract/ids.ts'
import type { Query, QueryClient } from '@tanstack/react-query'
import { isTransient } from '../api/api-error.ts'
import { keepInvalidated } from '../api/keep-invalidated.ts'
import { applyChange } from './apply-change.ts'

export interface ChangeApplier {
  /** Changes must be passed in the order in which they arrive. */
  apply: (change: FeedChange) => void
  /** Reads all cached data again, because it may have missed changes. */
  refetchAll: () => void
  /** Reads the data on the screen again whose last request failed for a reason that may have passed. */
  refetchFailed: () => void
  stop: () => void
}

/** The pause, in milliseconds, before data that could not be read is requested again. */
export const refetchFailedAfterMs = 5000

/**
 * Applies live changes to the cached queries. A request that was already on its way when a change arrived may return
 * data from before it, which would overwrite the change. Such changes are applied again after the response.
 *
 * `isLive` says whether the live connection exists. Data whose request failed is then read again after a pause, because no
 * change would complete it. Without a connection, the caller calls `refetchFailed` once it exists.
 */
export function createChangeApplier(queryClient: QueryClient, viewerId: UserId, isLive: () => boolean): ChangeApplier {
  /** The number of changes that had arrived when the running request of a query began. */
  const requests = new Map<Query, number>()
  /** The changes that have arrived since the oldest running request began. */
  let recent: FeedChange[] = []
  let arrived = 0
  /** The queries whose first response may be from before the missed changes. */
  const outdated = new WeakSet<Query>()
  /** The queries that could not be read for a reason that may pass. */
  const failed = new Set<Query>()
  let failedTimer: ReturnType<typeof setTimeout> | undefined

  for (const query of queryClient.getQueryCache().findAll({ fetchStatus: 'fetching' })) requests.set(query, 0)
  const stopKeeping = keepInvalidated(queryClient)
  const unsubscribe = queryClient.getQueryCache().subscribe((event) => {
    if (event.type === 'removed') {
      failed.delete(event.query)
      return finish(event.query)
    }
    if (event.type !== 'updated') return
    if (event.action.type === 'fetch') return void requests.set(event.query, arrived)
    if (event.query.state.fetchStatus !== 'idle') return
    if (event.action.type === 'error') handleError(event.query, event.action.error)
    if (event.action.type === 'success' && !event.action.manual) failed.delete(event.query)
    // A request that failed has brought nothing outdated.
    const isOutdated = outdated.delete(event.query) && event.action.type !== 'error'
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

  function handleError(query: Query, error: unknown) {
    // A screen without data shows the error and its own button.
    if (query.state.data === undefined || !isTransient(error)) return
    failed.add(query)
    failedTimer ??= setTimeout(() => {
      failedTimer = undefined
      if (isLive()) refetchFailed()
    }, refetchFailedAfterMs)
  }

  function refetchFailed() {
    void queryClient.refetchQueries(
      { type: 'active', predicate: (query) => failed.has(query) },
      { cancelRefetch: false },
    )
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
    refetchFailed,
    stop() {
      clearTimeout(failedTimer)
      stopKeeping()
      unsubscribe()
    },
  }
}
