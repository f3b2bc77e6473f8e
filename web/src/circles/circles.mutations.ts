import type { ChangeCircle, Circle, NewCircle } from '@hither/contract/circles.ts'
import type { CircleId } from '@hither/contract/ids.ts'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../api/transport.ts'
import { circlesQuery } from './circles.api.ts'

/** The changes of circles are sent one after another. None of them is sent later without network. */
const scope = { id: 'circles' }

export function useCreateCircle() {
  const queryClient = useQueryClient()
  return useMutation({
    scope,
    mutationFn: (body: NewCircle) => call('POST /circles', { body }),
    onSuccess: (circle) => put(queryClient, circle),
    onSettled: () => refetch(queryClient),
  })
}

export function useChangeCircle(id: CircleId) {
  const queryClient = useQueryClient()
  return useMutation({
    scope,
    mutationFn: (body: ChangeCircle) => call('PATCH /circles/:id', { params: { id }, body }),
    onSuccess: (circle) => put(queryClient, circle),
    onSettled: () => refetch(queryClient),
  })
}

export function useDeleteCircle() {
  const queryClient = useQueryClient()
  return useMutation({
    scope,
    mutationFn: (id: CircleId) => call('DELETE /circles/:id', { params: { id } }),
    onSuccess: (_reply, id) =>
      queryClient.setQueryData(circlesQuery().queryKey, (circles) => circles?.filter((circle) => circle.id !== id)),
    onSettled: () => refetch(queryClient),
  })
}

/** Reads a circle as another device has saved it; undefined for one that is deleted. */
export async function readLatest(queryClient: QueryClient, id: CircleId): Promise<Circle | undefined> {
  const circles = await queryClient.query({ ...circlesQuery(), staleTime: 0 })
  return circles.find((circle) => circle.id === id)
}

function put(queryClient: QueryClient, circle: Circle) {
  queryClient.setQueryData(
    circlesQuery().queryKey,
    (circles) => circles && [...circles.filter(({ id }) => id !== circle.id), circle].sort(byName),
  )
}

function byName(a: Circle, b: Circle) {
  return a.name.localeCompare(b.name, undefined, { sensitivity: 'base' })
}

function refetch(queryClient: QueryClient) {
  void queryClient.invalidateQueries({ queryKey: circlesQuery().queryKey })
}
