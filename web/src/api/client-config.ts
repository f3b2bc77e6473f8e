import { getConfig } from '@hither/contract/config.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from './transport.ts'

/** What this server offers. It changes with a restart of the server only, so one answer serves as long as the page is open. */
export function clientConfigQuery() {
  return queryOptions({
    queryKey: ['config'],
    queryFn: ({ signal }) => call(getConfig, {}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
}
