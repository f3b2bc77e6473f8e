import { QueryClient } from '@tanstack/react-query'
import { isTransient } from './api-error.ts'

/** All server state of the app. Live changes keep it current, so data counts as fresh for a while. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Browsers often report being offline by mistake. A call that fails shows it within seconds.
      networkMode: 'always',
      staleTime: 60_000,
      // Data that leaves the cache cannot be shown without network.
      gcTime: 24 * 3_600_000,
      refetchOnReconnect: 'always',
      retry: (failures, error) => failures < 2 && isTransient(error),
    },
    mutations: { networkMode: 'always', retry: false },
  },
})
