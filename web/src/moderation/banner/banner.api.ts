import { queryOptions } from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'
import { call } from '../../api/transport.ts'

/** The banner of the server, also one that has ended since it was read. Null if there is none. */
export function bannerQuery() {
  return queryOptions({
    queryKey: ['banner'],
    queryFn: async ({ signal }) => {
      try {
        return (await call('GET /banner', {}, { signal })).banner
      } catch (error) {
        // A server of an earlier version has no banners.
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }
    },
    // The app that comes to the foreground reads it too, if it is older than a minute.
    staleTime: 60_000,
    refetchInterval: 15 * 60_000,
  })
}
