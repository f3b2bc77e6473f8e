import { type Input } from '@hither/contract/operation.ts'
import { type User, updateUser } from '@hither/contract/users.ts'
import { useMutation } from '@tanstack/react-query'
import { call } from '../api/transport.ts'
import { adoptUser } from '../auth/session.ts'

type ProfileChange = Input<typeof updateUser>['body']

/** The viewer's profile lives in the session, not in a query: every screen shows it, and it outlives a reload. */
export function useUpdateProfile(user: User) {
  return useMutation({
    mutationFn: (change: ProfileChange) => call(updateUser, { params: { id: user.id }, body: change }),
    onSuccess: adoptUser,
  })
}

/** Shows the choice at once and takes it back where the server refuses. */
export function useSetAutoJoin(user: User) {
  return useMutation({
    mutationFn: (auto_join_chats: boolean) => call(updateUser, { params: { id: user.id }, body: { auto_join_chats } }),
    onMutate: (auto_join_chats) => adoptUser({ ...user, auto_join_chats }),
    onSuccess: adoptUser,
    onError: () => adoptUser(user),
  })
}
