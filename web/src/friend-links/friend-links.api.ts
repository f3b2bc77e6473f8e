import type { CreatedFriendLink, FriendLink, NewFriendLink } from '@hither/contract/friend-links.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { hasNoResponse, messageOf } from '../api/api-error.ts'
import { call } from '../api/transport.ts'
import { useListRemoval } from '../api/use-list-removal.ts'
import { t } from '../i18n/translate.ts'

/** The links that are neither expired nor revoked, newest first. */
export function friendLinksQuery() {
  return queryOptions({
    queryKey: ['friend-links', 'list'],
    queryFn: ({ signal }) => call('GET /friends/links', {}, { signal }),
    // No live event announces a use.
    staleTime: 0,
    meta: { persisted: false },
  })
}

/** `viewerId` is null for visitors, who get fewer fields. */
export function previewQuery(code: string, viewerId: string | null) {
  return queryOptions({
    queryKey: ['friend-links', 'preview', viewerId, code],
    queryFn: ({ signal }) => call('POST /friends/links/lookup', { body: { code } }, { auth: 'optional', signal }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    // Contains the code.
    meta: { persisted: false },
  })
}

export function createCode(): Promise<CreatedFriendLink> {
  return call('POST /friends/links', { body: { kind: 'qr' } })
}

export function useCreateFriendLink() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (link: Omit<NewFriendLink, 'kind'>) => call('POST /friends/links', { body: { kind: 'link', ...link } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: friendLinksQuery().queryKey }),
  })
}

export function useRevokeFriendLink() {
  return useListRemoval<FriendLink, FriendLink>(
    friendLinksQuery().queryKey,
    ({ id }) => call('DELETE /friends/links/:id', { params: { id } }),
    (link) => (other) => other.id !== link.id,
  )
}

export function useAcceptFriendLink() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (code: string) => call('POST /friends/links/accept', { body: { code } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['friends'] }),
  })
}

/** The text of a failed call. None of these calls is queued while the device is offline. */
export function failureText(error: unknown, fallback: string = t('friend-links.actionFailed')): string {
  return hasNoResponse(error) ? t('friend-links.offline') : messageOf(error, fallback)
}
