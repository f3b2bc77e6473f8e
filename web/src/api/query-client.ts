import { QueryClient } from '@tanstack/react-query'
import { isPassing } from './api-error.ts'

/** All server state of the app. Live changes keep it fresh, so a read is trusted for a while. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // A browser's own idea of being offline is often wrong; a call that fails says so within seconds.
      networkMode: 'always',
      staleTime: 60_000,
      // What leaves the cache is no longer there to be shown without network.
      gcTime: 24 * 3_600_000,
      refetchOnReconnect: 'always',
      retry: (failures, error) => failures < 2 && isPassing(error),
    },
    mutations: { networkMode: 'always', retry: false },
  },
})
