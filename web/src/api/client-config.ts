import { queryOptions } from '@tanstack/react-query'
import { call } from './transport.ts'

/**
 * The features of this server. They only change when the server restarts, so one response is valid for as long as the
 * page is open.
 */
export function clientConfigQuery() {
  return queryOptions({
    queryKey: ['config'],
    queryFn: ({ signal }) => call('GET /config', {}, { auth: 'none', signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
}
