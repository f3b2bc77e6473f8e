import type { Query, QueryClient } from '@tanstack/react-query'

/**
 * Keeps a query that must be read again invalidated until a response arrives. By itself, TanStack Query takes a query as fresh
 * after every write to its data and after the cancellation of its request, although neither contains the changes that it may
 * have missed. Works until the returned function is called.
 */
export function keepInvalidated(queryClient: QueryClient): () => void {
  const cache = queryClient.getQueryCache()
  const invalidated = new WeakSet<Query>(cache.findAll({ predicate: ({ state }) => state.isInvalidated }))
  return cache.subscribe((event) => {
    if (event.type !== 'added' && event.type !== 'updated') return
    const { query } = event
    if (query.state.isInvalidated) invalidated.add(query)
    else if (event.type === 'updated' && event.action.type === 'success' && !event.action.manual)
      invalidated.delete(query)
    else if (invalidated.has(query)) query.invalidate()
  })
}
