import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'

/** The device stores the last answer, which is shown with its time where there is no network. */
export function storedDataQuery() {
  return queryOptions({
    queryKey: ['profile', 'stored-data'],
    queryFn: ({ signal }) => call('GET /users/me/stored-data', {}, { signal }),
    staleTime: 0,
  })
}
