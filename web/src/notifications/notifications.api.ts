import type { ConversationId } from '@hither/contract/ids.ts'
import type {
  ConversationMute,
  NotificationPreferences,
  NotificationPreferencesPatch,
} from '@hither/contract/notifications.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type After, allPages } from '../api/all-pages.ts'
import { serverNow } from '../api/server-time.ts'
import { call } from '../api/transport.ts'

export function preferencesQuery() {
  return queryOptions({
    queryKey: ['notifications', 'preferences'],
    queryFn: ({ signal }) => call('GET /notifications/preferences', {}, { signal }),
  })
}

function mutesQuery() {
  return queryOptions({
    queryKey: ['notifications', 'mutes'],
    queryFn: ({ signal }) =>
      allPages(
        (query: After<ConversationId>) => call('GET /notifications/mutes', { query }, { signal }),
        (mute) => mute.conversation_id,
      ),
  })
}

/** Shows changes at once, and undoes them if the server refuses. Changes are sent in the order of the taps. */
export function useUpdatePreferences() {
  const queryClient = useQueryClient()
  const { queryKey } = preferencesQuery()
  const mutationKey = ['notifications', 'change']
  const put = (patch: NotificationPreferencesPatch) =>
    queryClient.setQueryData(queryKey, (preferences) => preferences && withPatch(preferences, patch))
  return useMutation({
    mutationKey,
    scope: { id: mutationKey.join('/') },
    mutationFn: (patch: NotificationPreferencesPatch) => call('PATCH /notifications/preferences', { body: patch }),
    onMutate: async (patch) => {
      await queryClient.cancelQueries({ queryKey })
      const before = queryClient.getQueryData(queryKey)
      put(patch)
      return before && oppositeOf(patch, before)
    },
    onError: (_error, _patch, opposite) => opposite && put(opposite),
    onSettled: () => {
      if (queryClient.isMutating({ mutationKey }) === 1) void queryClient.invalidateQueries({ queryKey })
    },
  })
}

export function withPatch(
  preferences: NotificationPreferences,
  { kinds, ...patch }: NotificationPreferencesPatch,
): NotificationPreferences {
  return { ...preferences, ...patch, kinds: { ...preferences.kinds, ...kinds } }
}

/** Returns the change that undoes `change` without undoing later changes. */
export function oppositeOf(
  { kinds, ...patch }: NotificationPreferencesPatch,
  before: NotificationPreferences,
): NotificationPreferencesPatch {
  const of = <T extends object>(patch: object, values: T) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => name in patch)) as Partial<T>
  return { ...of(patch, before), ...(kinds && { kinds: of(kinds, before.kinds) }) }
}

export function useSendTest() {
  return useMutation({ mutationFn: () => call('POST /notifications/test', {}) })
}

/** Returns the end of the mute, null if it has no end, undefined if the chat is not muted. */
export function useMutedUntil(conversationId: ConversationId): string | null | undefined {
  const { data } = useQuery({
    ...mutesQuery(),
    select: (mutes) => mutes.find(({ conversation_id }) => conversation_id === conversationId),
  })
  return data === undefined || isExpired(data, serverNow()) ? undefined : data.muted_until
}

/** Mutes a chat, or unmutes it with undefined. Shown at once, and undone if the server refuses. */
export function useMuteConversation(conversation_id: ConversationId) {
  const queryClient = useQueryClient()
  const { queryKey } = mutesQuery()
  const find = () => queryClient.getQueryData(queryKey)?.find((mute) => mute.conversation_id === conversation_id)
  const put = (mute: ConversationMute | undefined) =>
    queryClient.setQueryData(
      queryKey,
      (mutes) =>
        mutes && [...mutes.filter((other) => other.conversation_id !== conversation_id), ...(mute ? [mute] : [])],
    )
  return useMutation({
    scope: { id: `notifications/mute/${conversation_id}` },
    mutationFn: async (muted_until: string | null | undefined) => {
      const params = { conversationId: conversation_id }
      if (muted_until === undefined) await call('DELETE /notifications/mutes/:conversationId', { params })
      else await call('PUT /notifications/mutes/:conversationId', { params, body: { muted_until } })
    },
    onMutate: async (muted_until) => {
      await queryClient.cancelQueries({ queryKey })
      const before = find()
      put(muted_until === undefined ? undefined : { conversation_id, muted_until })
      return { before }
    },
    onError: (_error, _until, context) => context && put(context.before),
    onSettled: () => void queryClient.invalidateQueries({ queryKey }),
  })
}

function isExpired({ muted_until }: ConversationMute, nowMs: number): boolean {
  return muted_until !== null && Date.parse(muted_until) <= nowMs
}
