import { getAdminRole } from '@hither/contract/moderation.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../api/transport.ts'

/** Whether the viewer is an admin. It only decides what is shown: the server asks again each time. */
export function adminRoleQuery() {
  return queryOptions({
    queryKey: ['admin-role'],
    queryFn: ({ signal }) => call(getAdminRole, {}, { signal }),
    meta: { kept: false },
  })
}
