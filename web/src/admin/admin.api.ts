import type { NewBanner } from '@hither/contract/banner.ts'
import type { ReportId, UserId } from '@hither/contract/ids.ts'
import type { Invitation, NewInvitation } from '@hither/contract/invitations.ts'
import type { AdminAction } from '@hither/contract/moderation.ts'
import type { CallInput, Input } from '@hither/contract/operation.ts'
import type { MemberAddress, OperationAt } from '@hither/contract/operations.ts'
import * as contract from '@hither/contract/runtime/moderation.ts'
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { fetchBytes } from '../api/images.ts'
import { call } from '../api/transport.ts'
import { adminRoleQuery } from './role.api.ts'

const { pageDefault } = contract.moderationLimits

// Reported content and account data must not be stored on the device.
const notPersisted = { meta: { persisted: false }, staleTime: 0, gcTime: 60_000 } as const

export function reportsQuery(state: 'open' | 'handled') {
  return infiniteQueryOptions({
    queryKey: ['admin', 'reports', state],
    queryFn: ({ signal, pageParam }) =>
      call('GET /admin/reports', { query: { state, ...(pageParam && { before: pageParam }) } }, { signal }),
    initialPageParam: null as ReportId | null,
    getNextPageParam: (page) => (page.length < pageDefault ? null : (page.at(-1)?.id ?? null)),
    ...notPersisted,
  })
}

export type Whom = 'everyone' | 'admins' | 'suspended'

export function peopleQuery(q: string, whom: Whom) {
  return infiniteQueryOptions({
    queryKey: ['admin', 'people', whom, q],
    queryFn: ({ signal, pageParam }) => {
      const body = { q, ...(whom !== 'everyone' && { only: whom }), ...(pageParam !== null && { after: pageParam }) }
      return call('POST /admin/users/search', { body }, { signal })
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.length < pageDefault ? null : (page.at(-1)?.username ?? null)),
    ...notPersisted,
  })
}

export function actionsQuery() {
  return infiniteQueryOptions({
    queryKey: ['admin', 'actions'],
    queryFn: ({ signal, pageParam }) =>
      call('GET /admin/actions', { query: pageParam ? { before: pageParam } : {} }, { signal }),
    initialPageParam: null as AdminAction['id'] | null,
    getNextPageParam: (page) => (page.length < pageDefault ? null : (page.at(-1)?.id ?? null)),
    ...notPersisted,
  })
}

export function statusQuery() {
  return queryOptions({
    queryKey: ['admin', 'status'],
    queryFn: ({ signal }) => call('GET /admin/status', {}, { signal }),
    ...notPersisted,
  })
}

export function invitationsQuery() {
  return queryOptions({
    queryKey: ['admin', 'invitations'],
    queryFn: ({ signal }) => call('GET /admin/invitations', {}, { signal }),
    ...notPersisted,
  })
}

/** `null` if the image was deleted. */
export function reportPictureQuery(id: ReportId) {
  return queryOptions({
    queryKey: ['admin', 'picture', id],
    queryFn: async ({ signal }) =>
      (await fetchBytes('GET /admin/reports/:id/picture', { params: { id } }, 'Failed to fetch image', signal))?.blob ??
      null,
    ...notPersisted,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export function useClaimAdmin() {
  return useAdminCall('POST /admin/claim', (code: string) => ({ body: { code } }))
}

export function useDismissReport() {
  return useAdminCall('POST /admin/reports/:id/dismiss', (id: ReportId) => ({ params: { id } }))
}

export function useDeleteReported() {
  return useAdminCall('POST /admin/reports/:id/delete', (id: ReportId) => ({ params: { id } }))
}

export function useSuspendUser() {
  return useAdminCall(
    'POST /admin/users/:id/suspend',
    (input: Input<OperationAt<'POST /admin/users/:id/suspend'>>) => input,
  )
}

export function useLiftSuspension() {
  return useAdminCall('DELETE /admin/users/:id/suspend', (id: UserId) => ({ params: { id } }))
}

export function useAppointAdmin() {
  return useAdminCall('PUT /admin/users/:id/admin', (id: UserId) => ({ params: { id } }))
}

export function useDismissAdmin() {
  return useAdminCall('DELETE /admin/users/:id/admin', (id: UserId) => ({ params: { id } }))
}

/** Creates a link with which this person can set a new password. */
export function useCreateResetLink() {
  return useAdminCall('POST /admin/users/:id/reset-link', (id: UserId) => ({ params: { id } }))
}

export function useSetRegistration() {
  return useAdminCall('PUT /admin/registration', (body: Input<OperationAt<'PUT /admin/registration'>>['body']) => ({
    body,
  }))
}

export function useCreateInvitation() {
  return useAdminCall('POST /admin/invitations', (body: NewInvitation) => ({ body }))
}

export function useRevokeInvitation() {
  return useAdminCall('DELETE /admin/invitations/:id', (id: Invitation['id']) => ({ params: { id } }))
}

export function useSetBanner() {
  return useAdminCall('PUT /admin/banner', (body: NewBanner) => ({ body }))
}

export function useRemoveBanner() {
  return useAdminCall('DELETE /admin/banner', () => ({}))
}

/** Every admin action may change any of the admin lists, and the role itself. */
function useAdminCall<A extends MemberAddress, Given>(
  address: A,
  inputOf: (given: Given) => CallInput<OperationAt<A>>,
) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (given: Given) => call(address, inputOf(given)),
    onSettled: async () => {
      await queryClient.invalidateQueries({ queryKey: adminRoleQuery().queryKey })
      await queryClient.invalidateQueries({
        queryKey: ['admin'],
        predicate: ({ queryKey }) => queryKey[1] !== 'picture',
      })
    },
  })
}
