import {
  changePassword,
  endOtherSessions,
  endSession,
  getSignInMethods,
  listSessions,
  type Session,
} from '@hither/contract/auth.ts'
import { deleteProfileImage, uploadProfileImage } from '@hither/contract/files.ts'
import { type BlockedUser, listBlocked, unblockUser } from '@hither/contract/friends.ts'
import { type UserId } from '@hither/contract/ids.ts'
import { type Input } from '@hither/contract/operation.ts'
import { deleteAccount, exportAccount, type User, updateUser } from '@hither/contract/users.ts'
import { type QueryKey, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { preloadUserImage } from '../api/images.ts'
import { call } from '../api/transport.ts'
import { upload } from '../api/upload.ts'
import { adoptUser, leaveDeletedAccount, sessionState } from '../auth/session.ts'

type ProfileChange = Input<typeof updateUser>['body']

/** The viewer's profile lives in the session, not in a query: every screen shows it, and it outlives a reload. */
export function useUpdateProfile(user: User) {
  return useMutation({
    mutationFn: (change: ProfileChange) => call(updateUser, { params: { id: user.id }, body: change }),
    onSuccess: adoptUser,
  })
}

/** Shows the choice at once and takes it back where the server refuses. */
export function useSetAutoJoin({ id }: User) {
  return useMutation({
    mutationFn: (auto_join_chats: boolean) => call(updateUser, { params: { id }, body: { auto_join_chats } }),
    onMutate: (auto_join_chats) => adoptChange(id, { auto_join_chats }),
    onSuccess: adoptUser,
    onError: (_error, auto_join_chats) => adoptChange(id, { auto_join_chats: !auto_join_chats }),
  })
}

/** `progress` runs from 0 to 1 while the bytes leave. */
export function useUploadProfileImage(user: User) {
  const [progress, setProgress] = useState(0)
  const mutation = useMutation({
    mutationFn: async (file: File) => {
      setProgress(0)
      await upload(uploadProfileImage, {}, file, { onProgress: setProgress })
      // Until it is here the preview stands in its place.
      await preloadUserImage(user.id)
      adoptChange(user.id, { has_image: true })
    },
  })
  return { ...mutation, progress }
}

/** Gone at once, and back where the server refuses. */
export function useDeleteProfileImage(user: User) {
  return useMutation({
    mutationFn: () => call(deleteProfileImage, {}),
    onMutate: () => adoptChange(user.id, { has_image: false }),
    onError: () => adoptChange(user.id, { has_image: true }),
  })
}

/** On the profile as it is by then, whatever it was when the call began. */
function adoptChange(id: UserId, change: Partial<User>) {
  const { user } = sessionState()
  if (user?.id === id) adoptUser({ ...user, ...change })
}

/** The one last used first. */
export function sessionsQuery() {
  return queryOptions({
    queryKey: ['profile', 'sessions'],
    queryFn: ({ signal }) => call(listSessions, {}, { signal }),
    // Nothing tells this page that a device has come or gone.
    staleTime: 0,
  })
}

export function blockedQuery() {
  return queryOptions({
    queryKey: ['profile', 'blocked'],
    queryFn: ({ signal }) => call(listBlocked, {}, { signal }),
    staleTime: 0,
  })
}

export function signInMethodsQuery() {
  return queryOptions({
    queryKey: ['profile', 'sign-in-methods'],
    queryFn: ({ signal }) => call(getSignInMethods, {}, { signal }),
  })
}

export function useEndSession() {
  return useKeepOnly<Session, Session>(
    sessionsQuery().queryKey,
    (session) => call(endSession, { params: { id: session.id } }),
    (session) => (other) => other.id !== session.id,
  )
}

export function useEndOtherSessions() {
  return useKeepOnly<Session, void>(
    sessionsQuery().queryKey,
    () => call(endOtherSessions, {}),
    () => (session) => session.is_current,
  )
}

export function useUnblock() {
  return useKeepOnly<BlockedUser, BlockedUser>(
    blockedQuery().queryKey,
    ({ username }) => call(unblockUser, { params: { username } }),
    (person) => (other) => other.user_id !== person.user_id,
  )
}

/** Or sets a first one, without `current_password`. */
export function useChangePassword() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (input: Input<typeof changePassword>['body']) => call(changePassword, { body: input }),
    onSuccess: () => {
      // The other devices have been signed out with it.
      for (const { queryKey } of [sessionsQuery(), signInMethodsQuery()])
        void queryClient.invalidateQueries({ queryKey })
    },
  })
}

export function useExportAccount() {
  return useMutation({ mutationFn: () => call(exportAccount, {}) })
}

export function useDeleteAccount() {
  return useMutation({
    mutationFn: (input: Input<typeof deleteAccount>['body']) => call(deleteAccount, { body: input }),
    onSuccess: leaveDeletedAccount,
  })
}

/** Takes rows out of a list at once. Where the server refuses, the list is as it was. */
function useKeepOnly<Row, Input>(
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
      // Of what was there before, all that is there now and what this one took: others may be under way.
      queryClient.setQueryData<Row[]>(queryKey, (rows = []) =>
        before?.filter((row) => !stays(row) || rows.includes(row)),
      )
    },
    onSettled: () => {
      if (queryClient.isMutating({ mutationKey }) === 1) void queryClient.invalidateQueries({ queryKey })
    },
  })
}
