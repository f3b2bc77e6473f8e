import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'

/**
 * A mutation that removes rows of a cached list before the server answers, and restores them if the server refuses. `staysAfter`
 * decides which rows remain.
 */
export function useListRemoval<Row, Input>(
  queryKey: QueryKey,
  mutationFn: (input: Input) => Promise<unknown>,
  staysAfter: (input: Input) => (row: Row) => boolean,
) {
  const queryClient = useQueryClient()
  const mutationKey = ['profile', 'lists', ...queryKey]
  return useMutation({
    mutationKey,
    mutationFn,
    onMutate: async (input: Input) => {
      await queryClient.cancelQueries({ queryKey })
      const before = queryClient.getQueryData<Row[]>(queryKey)
      queryClient.setQueryData<Row[]>(queryKey, (rows) => rows?.filter(staysAfter(input)))
      return before
    },
    onError: (_error, input, before) => {
      const stays = staysAfter(input)
      // Restores only the rows that this mutation removed, because other mutations may be in progress.
      queryClient.setQueryData<Row[]>(queryKey, (rows = []) =>
        before?.filter((row) => !stays(row) || rows.includes(row)),
      )
    },
    onSettled: () => {
      if (queryClient.isMutating({ mutationKey }) === 1) void queryClient.invalidateQueries({ queryKey })
    },
  })
}
