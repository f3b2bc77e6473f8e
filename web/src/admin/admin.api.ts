import { type ReportId, type UserId } from '@hither/contract/ids.ts'
import * as contract from '@hither/contract/moderation.ts'
import { type Input, type Operation } from '@hither/contract/operation.ts'
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { fetchBytes } from '../api/images.ts'
import { call } from '../api/transport.ts'
import { adminRoleQuery } from './role.api.ts'

const { pageDefault } = contract.moderationLimits

// What people have reported, and who they are, is not to lie about on a device.
const seldomKept = { meta: { kept: false }, staleTime: 0, gcTime: 60_000 } as const

export function reportsQuery(state: 'open' | 'handled') {
  return infiniteQueryOptions({
    queryKey: ['admin', 'reports', state],
    queryFn: ({ signal, pageParam }) =>
      call(contract.listReports, { query: { state, ...(pageParam && { before: pageParam }) } }, { signal }),
    initialPageParam: null as ReportId | null,
    getNextPageParam: (page) => (page.length < pageDefault ? null : (page.at(-1)?.id ?? null)),
    ...seldomKept,
  })
}

export type Whom = 'everyone' | 'admins' | 'suspended'

export function peopleQuery(q: string, whom: Whom) {
  return infiniteQueryOptions({
    queryKey: ['admin', 'people', whom, q],
    queryFn: ({ signal, pageParam }) => {
      const query = { q, ...(whom !== 'everyone' && { only: whom }), ...(pageParam !== null && { after: pageParam }) }
      return call(contract.listUsers, { query }, { signal })
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.length < pageDefault ? null : (page.at(-1)?.username ?? null)),
    ...seldomKept,
  })
}

export function actionsQuery() {
  return infiniteQueryOptions({
    queryKey: ['admin', 'actions'],
    queryFn: ({ signal, pageParam }) =>
      call(contract.listAdminActions, { query: pageParam ? { before: pageParam } : {} }, { signal }),
    initialPageParam: null as contract.AdminAction['id'] | null,
    getNextPageParam: (page) => (page.length < pageDefault ? null : (page.at(-1)?.id ?? null)),
    ...seldomKept,
  })
}

export function statusQuery() {
  return queryOptions({
    queryKey: ['admin', 'status'],
    queryFn: ({ signal }) => call(contract.getServiceStatus, {}, { signal }),
    ...seldomKept,
  })
}

export function invitationsQuery() {
  return queryOptions({
    queryKey: ['admin', 'invitations'],
    queryFn: ({ signal }) => call(contract.listInvitations, {}, { signal }),
    ...seldomKept,
  })
}

/** `null` where it is gone. */
export function reportPictureQuery(id: ReportId) {
  return queryOptions({
    queryKey: ['admin', 'picture', id],
    queryFn: async ({ signal }) =>
      (await fetchBytes(contract.getReportPicture, { params: { id } }, 'Failed to fetch image', signal))?.blob ?? null,
    ...seldomKept,
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
  return useAdminCall(contract.suspendUser, (input: Input<typeof contract.suspendUser>) => input)
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

export function useSetRegistration() {
  return useAdminCall(contract.setRegistration, (mode: contract.RegistrationMode) => ({ body: { mode } }))
}

export function useCreateInvitation() {
  return useAdminCall(contract.createInvitation, (body: contract.NewInvitation) => ({ body }))
}

export function useRevokeInvitation() {
  return useAdminCall(contract.revokeInvitation, (id: contract.Invitation['id']) => ({ params: { id } }))
}

/** Whatever an admin does may change any of their lists, and whether they are one. */
function useAdminCall<O extends Operation, Given>(operation: O, inputOf: (given: Given) => Input<O>) {
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
