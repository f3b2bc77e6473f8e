import type { PingId } from '@hither/contract/ids.ts'
import type { ResponseType } from '@hither/contract/pings.ts'
import type { User } from '@hither/contract/users.ts'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { serverNow } from '../api/server-time.ts'
import { newId } from '../device/ids.ts'
import { withWaitingResponse } from './outbox/outbox.rules.ts'
import { responsesLock, waitingResponses } from './outbox/ping-outbox.ts'
import { sendResponse } from './outbox/send-response.ts'
import { sendWithOutbox } from './outbox/send-with-outbox.ts'
import { withoutResponse, withResponse } from './ping-changes.ts'
import { isForAudience } from './ping-shapes.ts'
import { pingQuery } from './pings.api.ts'
import { cancelLists, findCached, patchPing, refetchLists } from './pings.cache.ts'
import { titleOf } from './pings.rules.ts'

/** `revision` is the one of the ping that the user saw. Without it, the server takes the current one. */
interface GivenResponse {
  type: ResponseType | null
  revision?: number | undefined
}

/**
 * Sends, changes or (with `null`) removes the viewer's response. Responses are sent in the order of the taps: they share a
 * lock, and not a `scope`, which would not even store the later ones while the first call lasts. Without network the last one
 * waits in the outbox. Resolves to whether the server has it.
 */
export function useRespondToPing(pingId: PingId, viewer: User | null) {
  const queryClient = useQueryClient()
  const mutationKey = ['pings', 'respond', pingId]
  return useMutation({
    mutationKey,
    mutationFn: async ({ type, revision }: GivenResponse): Promise<boolean> => {
      const ping = findCached(queryClient, pingId)
      const ping_name = ping ? titleOf(ping) : ''
      const answer = { client_id: newId(), ping_id: pingId, ping_name, response_type: type, revision }
      if (viewer === null) {
        await sendResponse(queryClient, answer)
        return true
      }
      const sent = await sendWithOutbox({
        item: answer,
        owner: viewer.id,
        queue: waitingResponses,
        lock: responsesLock(viewer.id),
        put: (answers) => withWaitingResponse(answers, answer),
        send: () => sendResponse(queryClient, answer),
      })
      return sent !== null
    },
    onMutate: async ({ type, revision }) => {
      await Promise.all([cancelLists(queryClient), queryClient.cancelQueries(pingQuery(pingId))])
      const before = findCached(queryClient, pingId)
      const responses = before && isForAudience(before) ? before.responses : []
      putOwnResponse(queryClient, pingId, viewer, { type, revision })
      return responses.find(({ user_id }) => user_id === viewer?.id) ?? null
    },
    onError: (_error, _given, previous) => {
      if (previous === undefined) return
      const { response_type: type = null, revision } = previous ?? {}
      putOwnResponse(queryClient, pingId, viewer, { type, revision })
    },
    onSettled: () => {
      // A refetch while another response is being sent would briefly show the server's older value.
      if (queryClient.isMutating({ mutationKey }) > 1) return
      // The server doesn't know yet what waits for the network.
      if (waitingResponses.items().some(({ ping_id }) => ping_id === pingId)) return
      void refetchLists(queryClient)
      void queryClient.invalidateQueries(pingQuery(pingId))
    },
  })
}

function putOwnResponse(queryClient: QueryClient, pingId: PingId, viewer: User | null, given: GivenResponse) {
  if (viewer === null) return
  const at = new Date(serverNow()).toISOString()
  const { id: user_id, username, display_name } = viewer
  const { type, revision } = given
  patchPing(queryClient, pingId, (ping) =>
    type === null
      ? withoutResponse(ping, user_id)
      : withResponse(ping, {
          ping_id: pingId,
          user_id,
          username,
          display_name,
          response_type: type,
          revision: revision ?? ping.revision,
          created_at: at,
          updated_at: at,
        }),
  )
}
