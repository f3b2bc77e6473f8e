import type { NewBanner } from '@hither/contract/banner.ts'
import type { ReportId, UserId } from '@hither/contract/ids.ts'
import type { Invitation, NewInvitation } from '@hither/contract/invitations.ts'
import type { AdminAction } from '@hither/contract/moderation.ts'
import type { Address, CallInput, Input } from '@hither/contract/operation.ts'
import type { OperationAt } from '@hither/contract/operations.ts'
import { createResetLink } from '@hither/contract/runtime/auth/recovery.ts'
import { removeBanner, setBanner } from '@hither/contract/runtime/banner.ts'
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
      call(contract.listReports, { query: { state, ...(pageParam && { before: pageParam }) } }, { signal }),
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
      return call(contract.listUsers, { body }, { signal })
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
      call(contract.listAdminActions, { query: pageParam ? { before: pageParam } : {} }, { signal }),
    initialPageParam: null as AdminAction['id'] | null,
    getNextPageParam: (page) => (page.length < pageDefault ? null : (page.at(-1)?.id ?? null)),
    ...notPersisted,
  })
}

export function statusQuery() {
  return queryOptions({
    queryKey: ['admin', 'status'],
    queryFn: ({ signal }) => call(contract.getServiceStatus, {}, { signal }),
    ...notPersisted,
  })
}

export function invitationsQuery() {
  return queryOptions({
    queryKey: ['admin', 'invitations'],
    queryFn: ({ signal }) => call(contract.listInvitations, {}, { signal }),
    ...notPersisted,
  })
}

/** `null` if the image was deleted. */
export function reportPictureQuery(id: ReportId) {
  return queryOptions({
    queryKey: ['admin', 'picture', id],
    queryFn: async ({ signal }) =>
      (await fetchBytes(contract.getReportPicture, { params: { id } }, 'Failed to fetch image', signal))?.blob ?? null,
    ...notPersisted,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export function useClaimAdmin() {
  return useAdminCall(contract.claimAdmin, (code: string) => ({ body: { code } }))
}

export function useDismissReport() {
  return useAdminCall(contract.dismissReport, (id: ReportId) => ({ params: { id } }))
}

export function useDeleteReported() {
  return useAdminCall(contract.deleteReported, (id: ReportId) => ({ params: { id } }))
}

export function useSuspendUser() {
  return useAdminCall(contract.suspendUser, (input: Input<OperationAt<typeof contract.suspendUser>>) => input)
}

export function useLiftSuspension() {
  return useAdminCall(contract.liftSuspension, (id: UserId) => ({ params: { id } }))
}

export function useAppointAdmin() {
  return useAdminCall(contract.appointAdmin, (id: UserId) => ({ params: { id } }))
}

export function useDismissAdmin() {
  return useAdminCall(contract.dismissAdmin, (id: UserId) => ({ params: { id } }))
}

/** Creates a link with which this person can set a new password. */
export function useCreateResetLink() {
  return useAdminCall(createResetLink, (id: UserId) => ({ params: { id } }))
}

export function useSetRegistration() {
  return useAdminCall(
    contract.setRegistration,
    (body: Input<OperationAt<typeof contract.setRegistration>>['body']) => ({ body }),
  )
}

export function useCreateInvitation() {
  return useAdminCall(contract.createInvitation, (body: NewInvitation) => ({ body }))
}

export function useRevokeInvitation() {
  return useAdminCall(contract.revokeInvitation, (id: Invitation['id']) => ({ params: { id } }))
}

export function useSetBanner() {
  return useAdminCall(setBanner, (body: NewBanner) => ({ body }))
}

export function useRemoveBanner() {
  return useAdminCall(removeBanner, () => ({}))
}

/** Every admin action may change any of the admin lists, and the role itself. */
function useAdminCall<A extends Address, Given>(operation: A, inputOf: (given: Given) => CallInput<OperationAt<A>>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (given: Given) => call(operation, inputOf(given)),
    onSettled: async () => {
      await queryClient.invalidateQueries({ queryKey: adminRoleQuery().queryKey })
      await queryClient.invalidateQueries({
        queryKey: ['admin'],
        predicate: ({ queryKey }) => queryKey[1] !== 'picture',
      })
    },
  })
}
