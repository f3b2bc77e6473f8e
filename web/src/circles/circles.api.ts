import { queryOptions } from '@tanstack/react-query'
import { call } from '../api/transport.ts'

/** By name. Stored on the device, so that a pin for a circle can be made offline. */
export function circlesQuery() {
  return queryOptions({
    queryKey: ['circles', 'list'],
    queryFn: ({ signal }) => call('GET /circles', {}, { signal }),
  })
}
