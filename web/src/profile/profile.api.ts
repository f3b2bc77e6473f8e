import type { UserId } from '@hither/contract/ids.ts'
import type { Input } from '@hither/contract/operation.ts'
import type { OperationAt } from '@hither/contract/operations.ts'
import type { User } from '@hither/contract/users.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { preloadUserImage } from '../api/images.ts'
import { call } from '../api/transport.ts'
import { upload } from '../api/upload.ts'
import { sessionsQuery } from '../safety/devices.api.ts'
import { clearDeletedAccount, replaceUser, sessionState } from '../session/session.ts'
import type { OwnershipProof } from './security/recent-sign-in/use-recent-sign-in.tsx'

type ProfileChange = Input<OperationAt<'PATCH /users/:id'>>['body']

/**
 * The viewer's profile is in the session and not in a query, because every screen shows it and it outlives a reload.
 */
export function useUpdateProfile(user: User) {
  return useMutation({
    mutationFn: (change: ProfileChange) => call('PATCH /users/:id', { params: { id: user.id }, body: change }),
    onSuccess: replaceUser,
  })
}

/** Shows the choice at once and undoes it if the server refuses. */
export function useSetAutoJoin({ id }: User) {
  return useMutation({
    mutationFn: (auto_join_chats: boolean) => call('PATCH /users/:id', { params: { id }, body: { auto_join_chats } }),
    onMutate: (auto_join_chats) => patchUser(id, { auto_join_chats }),
    onSuccess: replaceUser,
    onError: (_error, auto_join_chats) => patchUser(id, { auto_join_chats: !auto_join_chats }),
  })
}

/** `progress` is the sent share of the bytes, from 0 to 1. */
export function useUploadProfileImage(user: User) {
  const [progress, setProgress] = useState(0)
  const mutation = useMutation({
    mutationFn: async (file: File) => {
      setProgress(0)
      await upload('POST /files/profile-image', {}, file, { onProgress: setProgress })
      // The preview is shown until the image has loaded.
      await preloadUserImage(user.id)
      patchUser(user.id, { has_image: true })
    },
  })
  return { ...mutation, progress }
}

/** Removes the image at once, and restores it if the server refuses. */
export function useDeleteProfileImage(user: User) {
  return useMutation({
    mutationFn: () => call('DELETE /files/profile-image', {}),
    onMutate: () => patchUser(user.id, { has_image: false }),
    onError: () => patchUser(user.id, { has_image: true }),
  })
}

/** Changes the current profile, which may have changed since the start of the call. */
function patchUser(id: UserId, change: Partial<User>) {
  const { user } = sessionState()
  if (user?.id === id) replaceUser({ ...user, ...change })
}

export function signInMethodsQuery() {
  return queryOptions({
    queryKey: ['profile', 'sign-in-methods'],
    queryFn: ({ signal }) => call('GET /auth/methods', {}, { signal }),
  })
}

/** Changes the password, or sets a first one without `current_password`. */
export function useChangePassword() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (input: Input<OperationAt<'POST /auth/change-password'>>['body']) =>
      call('POST /auth/change-password', { body: input }),
    onSuccess: () => {
      // The server signs out the other devices with the change.
      for (const { queryKey } of [sessionsQuery(), signInMethodsQuery()])
        void queryClient.invalidateQueries({ queryKey })
    },
  })
}

export function useExportAccount() {
  return useMutation({ mutationFn: (proof: OwnershipProof) => call('POST /users/me/export', { body: proof }) })
}

export function useDeleteAccount() {
  return useMutation({
    mutationFn: (input: Input<OperationAt<'DELETE /users/me'>>['body']) => call('DELETE /users/me', { body: input }),
    onSuccess: clearDeletedAccount,
  })
}
