import { deletePingImage } from '@hither/contract/files.ts'
import { type ConversationId, type PingId } from '@hither/contract/ids.ts'
import { createConversation, joinConversation, pingChatName } from '@hither/contract/messages.ts'
import {
  type ChangePing,
  changePing,
  createPing,
  deletePing,
  getPing,
  listMyPings,
  listPings,
  type Ping,
  pingLimits,
  pingTexts,
  type ResponseType,
} from '@hither/contract/pings.ts'
import { type User } from '@hither/contract/users.ts'
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { serverNow } from '../api/server-time.ts'
import { ApiError, call } from '../api/transport.ts'
import { refetchList as refetchChats, summariesQuery } from '../chat/chat.api.ts'
import { sendAnswer } from './answers.ts'
import { sendByHand } from './by-hand.ts'
import { insertedPing, temporaryPing, withChange, withoutResponse, withResponse } from './ping-changes.ts'
import { answersLock, waitingAnswers } from './ping-outbox.ts'
import { type NewPing, type ShownPing } from './ping-shapes.ts'
import { sendPingImage } from './ping-uploads.ts'
import { responseOf } from './pings.rules.ts'
import { withAnswer } from './waiting.rules.ts'

/** Pending and active pings of the viewer, and of friends who invited them. */
export function pingsQuery() {
  return queryOptions({
    queryKey: ['pings', 'list'],
    queryFn: ({ signal }) => call(listPings, {}, { signal }),
  })
}

/** The viewer's own pings, as many pages as are loaded by now. */
export function myPingsQuery() {
  const queryKey = ['pings', 'mine'] as const
  return queryOptions({
    queryKey,
    queryFn: async ({ signal, client }): Promise<Ping[]> => {
      const loaded = client.getQueryData<Ping[]>(queryKey)?.length ?? 0
      const pings = await call(listMyPings, { query: {} }, { signal })
      let hasMore = pings.length >= pingLimits.ownPageMax
      while (hasMore && pings.length < loaded) {
        const page = await call(listMyPings, { query: pageAfter(pings) }, { signal })
        pings.push(...page)
        hasMore = page.length >= pingLimits.ownPageMax
      }
      return pings
    },
  })
}

/** Loads the next page of the viewer's own pings. Its data is whether there may be another one. */
export function useMoreMyPings() {
  const queryClient = useQueryClient()
  const { queryKey } = myPingsQuery()
  return useMutation({
    mutationFn: async () => {
      const page = await call(listMyPings, { query: pageAfter(queryClient.getQueryData(queryKey) ?? []) })
      queryClient.setQueryData(queryKey, (pings = []) => {
        const known = new Set(pings.map(({ id }) => id))
        return [...pings, ...page.filter(({ id }) => !known.has(id))]
      })
      return page.length >= pingLimits.ownPageMax
    },
  })
}

/** A page begins after the oldest ping that has expired. */
function pageAfter(pings: readonly Ping[]) {
  const expired = pings.filter(({ expires_at }) => new Date(expires_at).getTime() <= serverNow())
  const oldest = expired.reduce<Ping | null>((last, ping) => (last && isNewer(ping, last) ? last : ping), null)
  return oldest ? { before: oldest.id } : {}
}

function isNewer(a: Ping, b: Ping): boolean {
  return a.created_at > b.created_at || (a.created_at === b.created_at && a.id > b.id)
}

/** `null`: there is none, or none that the viewer may see. */
export function pingQuery(pingId: PingId) {
  return queryOptions({
    queryKey: ['pings', 'one', pingId],
    queryFn: async ({ signal }): Promise<ShownPing | null> => {
      try {
        return await call(getPing, { params: { id: pingId } }, { signal })
      } catch (error) {
        // An address that was mistyped or cut off holds no id at all.
        if (error instanceof ApiError && (error.status === 404 || error.status === 422)) return null
        throw error
      }
    },
  })
}

/** What a server answers that does not keep to the contract may lack anything. */
export type CreatedPing = Ping | (Omit<Ping, 'id'> & { id?: undefined })

/** An answer came, so that there is nothing to wait for. */
export function noPingReturned(): ApiError {
  return new ApiError(200, pingTexts.noPingReturned)
}

export function isWhole(ping: CreatedPing): ping is Ping {
  return ping.id !== undefined
}

/** The pin stands at once under a temporary id; the server's answer takes its place, or its refusal takes it away. */
export function useCreatePing(owner: User) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (input: NewPing): Promise<CreatedPing> => {
      const ping: CreatedPing | null = await call(createPing, { body: input })
      if (ping === null) throw noPingReturned()
      return ping
    },
    onMutate: async (input) => {
      await cancelLists(queryClient)
      const ping = temporaryPing(input, owner, serverNow())
      putIntoLists(queryClient, ping, true)
      return ping.id
    },
    onSuccess: (ping, _input, temporaryId) => {
      takeOutOfLists(queryClient, temporaryId)
      if (isWhole(ping)) putIntoLists(queryClient, ping, true)
    },
    onError: (_error, _input, temporaryId) => {
      if (temporaryId !== undefined) takeOutOfLists(queryClient, temporaryId)
    },
    onSettled: () => void refetchLists(queryClient),
  })
}

export function useDeletePing() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (ping: Ping) => call(deletePing, { params: { id: ping.id } }),
    onMutate: async (ping) => {
      await cancelLists(queryClient)
      takeOutOfLists(queryClient, ping.id)
    },
    onError: (_error, ping) => putIntoLists(queryClient, ping, true),
    onSuccess: (_reply, ping) => markGone(queryClient, ping.id),
    onSettled: () => void refetchLists(queryClient),
  })
}

/** Adds time or ends it: shown at once, and taken back where the server refuses. */
export function useChangePing(ping: Ping) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (change: ChangePing) => call(changePing, { params: { id: ping.id }, body: change }),
    scope: { id: `pings/change/${ping.id}` },
    onMutate: async (change) => {
      await Promise.all([cancelLists(queryClient), queryClient.cancelQueries(pingQuery(ping.id))])
      const before = findCached(queryClient, ping.id) ?? ping
      patchPing(queryClient, ping.id, (ping) => withChange(ping, change, serverNow()))
      return { expires_at: before.expires_at, status: before.status }
    },
    onSuccess: ({ expires_at, status }) => patchPing(queryClient, ping.id, (ping) => ({ ...ping, expires_at, status })),
    onError: (_error, _change, before) => {
      if (before !== undefined) patchPing(queryClient, ping.id, (ping) => ({ ...ping, ...before }))
    },
    onSettled: () => {
      void refetchLists(queryClient)
      void queryClient.invalidateQueries(pingQuery(ping.id))
    },
  })
}

/** Sets the picture of an own ping. It can be seen under way with `usePingUpload`. */
export function useSendPingImage() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ pingId, file }: { pingId: PingId; file: Blob }) =>
      sendPingImage(pingId, file, () => patchPing(queryClient, pingId, (ping) => ({ ...ping, has_image: true }))),
  })
}

/** Gone at once, and back where the server refuses. */
export function useDeletePingImage(pingId: PingId) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(deletePingImage, { params: { pingId } }),
    onMutate: () => patchPing(queryClient, pingId, (ping) => ({ ...ping, has_image: false })),
    onError: () => patchPing(queryClient, pingId, (ping) => ({ ...ping, has_image: true })),
  })
}

/** The chat of an own ping with all who are invited; the one that there is where it has been made before. */
export function useStartPingChat() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, name, recipients }: Ping) => {
      const participant_ids = recipients.map(({ recipient_id }) => recipient_id)
      const body = { name: pingChatName(name), participant_ids, ping_id: id, system_created: true }
      return call(createConversation, { body })
    },
    onSuccess: (conversation, { id }) => {
      if (!conversation?.id) return
      patchPing(queryClient, id, (ping) =>
        'conversation_id' in ping ? { ...ping, conversation_id: conversation.id } : ping,
      )
      void refetchChats(queryClient)
    },
  })
}

/** Joins the chat of a ping, unless the viewer is in it. */
export function useEnterPingChat() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (conversationId: ConversationId) => {
      const chats = await queryClient.query({ ...summariesQuery(), staleTime: 0 }).catch(() => [])
      if (chats.some(({ id }) => id === conversationId)) return
      await call(joinConversation, { params: { id: conversationId } })
      void refetchChats(queryClient)
    },
  })
}

/**
 * Gives, changes or (with `null`) takes back the viewer's answer. Answers to one ping go out in the order of the taps;
 * without network the last one waits until there is.
 */
export function useRespondToPing(pingId: PingId, viewer: User | null) {
  const queryClient = useQueryClient()
  const mutationKey = ['pings', 'respond', pingId]
  return useMutation({
    mutationKey,
    scope: { id: mutationKey.join('/') },
    mutationFn: async (type: ResponseType | null): Promise<void> => {
      const ping_name = findCached(queryClient, pingId)?.name ?? ''
      const answer = { client_id: crypto.randomUUID(), ping_id: pingId, ping_name, response_type: type }
      if (viewer === null) return sendAnswer(answer)
      await sendByHand({
        item: answer,
        owner: viewer.id,
        shelf: waitingAnswers,
        lock: answersLock(viewer.id),
        put: (answers) => withAnswer(answers, answer),
        send: () => sendAnswer(answer),
      })
    },
    onMutate: async (type) => {
      await Promise.all([cancelLists(queryClient), queryClient.cancelQueries(pingQuery(pingId))])
      const before = findCached(queryClient, pingId)
      const previous = before && 'responses' in before ? responseOf(before.responses, viewer?.id) : null
      putOwnResponse(queryClient, pingId, viewer, type)
      return previous
    },
    onError: (_error, _type, previous) => {
      if (previous !== undefined) putOwnResponse(queryClient, pingId, viewer, previous)
    },
    onSettled: () => {
      // An answer that is still waiting to go out would flicker if the server's older word were read meanwhile.
      if (queryClient.isMutating({ mutationKey }) > 1) return
      void refetchLists(queryClient)
      void queryClient.invalidateQueries(pingQuery(pingId))
    },
  })
}

/** Changes every copy of a ping that is held. Copies that do not change stay the same objects. */
export function patchPing(queryClient: QueryClient, pingId: PingId, patch: <P extends ShownPing>(ping: P) => P) {
  for (const { queryKey } of [pingsQuery(), myPingsQuery()]) {
    queryClient.setQueryData(queryKey, (pings) =>
      pings?.some(({ id }) => id === pingId) ? pings.map((ping) => (ping.id === pingId ? patch(ping) : ping)) : pings,
    )
  }
  queryClient.setQueryData(pingQuery(pingId).queryKey, (ping) => (ping ? patch(ping) : ping))
}

/** Lists that were never read stay unread. A ping that is there already is replaced. */
export function putIntoLists(queryClient: QueryClient, ping: Ping, isOwn: boolean) {
  queryClient.setQueryData(pingsQuery().queryKey, (pings) => insertedPing(pings, ping))
  if (isOwn) queryClient.setQueryData(myPingsQuery().queryKey, (pings) => insertedPing(pings, ping))
}

export function takeOutOfLists(queryClient: QueryClient, pingId: PingId) {
  for (const { queryKey } of [pingsQuery(), myPingsQuery()]) {
    queryClient.setQueryData(queryKey, (pings) =>
      pings?.some(({ id }) => id === pingId) ? pings.filter(({ id }) => id !== pingId) : pings,
    )
  }
}

/** Whoever looks at it now sees that it is no more. */
export function markGone(queryClient: QueryClient, pingId: PingId) {
  const { queryKey } = pingQuery(pingId)
  if (queryClient.getQueryData(queryKey) !== undefined) queryClient.setQueryData(queryKey, null)
}

export function findInLists(queryClient: QueryClient, pingId: PingId): Ping | undefined {
  return [pingsQuery(), myPingsQuery()]
    .flatMap(({ queryKey }) => queryClient.getQueryData(queryKey) ?? [])
    .find(({ id }) => id === pingId)
}

/** Reads the lists again without dropping a read that is under way. */
export function refetchLists(queryClient: QueryClient) {
  return Promise.all(
    [pingsQuery(), myPingsQuery()].map(({ queryKey }) =>
      queryClient.invalidateQueries({ queryKey }, { cancelRefetch: false }),
    ),
  )
}

function findCached(queryClient: QueryClient, pingId: PingId): ShownPing | undefined {
  return queryClient.getQueryData(pingQuery(pingId).queryKey) ?? findInLists(queryClient, pingId)
}

function putOwnResponse(queryClient: QueryClient, pingId: PingId, viewer: User | null, type: ResponseType | null) {
  if (viewer === null) return
  const at = new Date(serverNow()).toISOString()
  const { id: user_id, username } = viewer
  patchPing(queryClient, pingId, (ping) =>
    type === null
      ? withoutResponse(ping, user_id)
      : withResponse(ping, { ping_id: pingId, user_id, username, response_type: type, created_at: at, updated_at: at }),
  )
}

function cancelLists(queryClient: QueryClient) {
  return Promise.all([pingsQuery(), myPingsQuery()].map(({ queryKey }) => queryClient.cancelQueries({ queryKey })))
}
