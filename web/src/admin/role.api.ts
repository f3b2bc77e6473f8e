import { queryOptions } from '@tanstack/react-query'
import { call } from '../api/transport.ts'

/** Whether the viewer is an admin. It decides only what is shown: the server checks every request. */
export function adminRoleQuery() {
  return queryOptions({
    queryKey: ['admin-role'],
    queryFn: ({ signal }) => call('GET /admin/role', {}, { signal }),
    meta: { persisted: false },
  })
}
