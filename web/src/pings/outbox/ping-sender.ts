import type { UserId } from '@hither/contract/ids.ts'
import type { QueryClient } from '@tanstack/react-query'
import { isRefusal, isTransient, messageOf } from '../../api/api-error.ts'
import { call } from '../../api/transport.ts'
import { refetchList as refetchChats } from '../../chat/chat.cache.ts'
import { t } from '../../i18n/translate.ts'
import { suggestNotifications } from '../../notifications/push/suggestion.ts'
import { type Sender, startSender } from '../../outbox/sender.ts'
import { sessionState } from '../../session/session.ts'
import { publishNotice } from '../../ui/notices/notices.ts'
import { pingChatName } from '../chat/ping-chat-name.ts'
import { createdNotice } from '../created-notice.ts'
import { sendPingImage } from '../pictures/ping-uploads.ts'
import { withConversation } from '../ping-changes.ts'
import { pingQuery } from '../pings.api.ts'
import { patchPing, putIntoLists, refetchLists } from '../pings.cache.ts'
import { type CreatedPing, isWhole, noPingReturned } from '../pings.mutations.ts'
import { nextPing, nextResponse, quickButton, type WaitingPing, withChangedPing, without } from './outbox.rules.ts'
import { pingsLock, responsesLock, sendingIds, waitingPings, waitingResponses } from './ping-outbox.ts'
import { sendResponse } from './send-response.ts'
import { watchUndoPeriods } from './undo-watch.ts'

/** Sends the waiting pings, each with its chat and its image. */
export function startPingOutbox(queryClient: QueryClient, viewerId: UserId): Sender {
  const sender = startSender<WaitingPing>({
    lock: pingsLock(viewerId),
    reread: waitingPings.reread,
    subscribe: waitingPings.subscribe,
    next: () => (isSignedIn(viewerId) ? nextPing(waitingPings.items(), Date.now(), sendingIds) : undefined),
    async send(waiting, isStopped, signal) {
      const { client_id } = waiting
      const made = waiting.made ?? (await make(waiting, isStopped, signal))
      if (isStopped()) return
      if (waiting.wants_chat) await startChat(made)
      if (waiting.wants_chat) await change(client_id, { wants_chat: false })
      if (waiting.image !== null && !isStopped()) await sendImage(made, waiting.image, signal)
      if (!isStopped()) await waitingPings.edit(viewerId, (pings) => without(pings, client_id))
    },
    async refuse({ client_id, send_after, button = quickButton }, error) {
      // The ping was deleted on another device after it was created.
      const isDeleted = isRefusal(error, 'ping_not_found')
      if (isDeleted) return waitingPings.edit(viewerId, (pings) => without(pings, client_id))
      const refusal = messageOf(error, t('pings.createFailed'))
      if (send_after !== undefined && button === quickButton)
        await waitingPings.edit(viewerId, (pings) => without(pings, client_id))
      else await change(client_id, { refusal, send_after: undefined })
      publishNotice({ kind: 'error', text: refusal })
    },
  })
  const stopWatching = watchUndoPeriods(viewerId, sender)
  return {
    wake: sender.wake,
    stop() {
      stopWatching()
      sender.stop()
    },
  }

  async function make(waiting: WaitingPing, isStopped: () => boolean, signal: AbortSignal) {
    const { client_id, wants_chat, image, send_after } = waiting
    const ping = await create(waiting, signal)
    if (ping === null || !isWhole(ping)) throw noPingReturned()
    const { id, name, recipients } = ping
    const made = { id, name, recipient_ids: recipients.map(({ recipient_id }) => recipient_id) }
    if (isStopped()) return made
    putIntoLists(queryClient, ping)
    void refetchLists(queryClient)
    await change(client_id, { made })
    if (!wants_chat && image === null) publishNotice(createdNotice(ping))
    if (send_after !== undefined) suggestNotifications()
    return made
  }

  async function create(
    { client_id, input, send_after }: WaitingPing,
    signal: AbortSignal,
  ): Promise<CreatedPing | null> {
    try {
      return await call('POST /pings/', { body: { ...input, client_id } }, { signal })
    } catch (error) {
      if (send_after !== undefined && isTransient(error)) {
        await change(client_id, { send_after: undefined })
        publishNotice({ kind: 'notice', text: t('pings.waiting.kept') })
      }
      throw error
    }
  }

  async function startChat({ id, name, recipient_ids }: NonNullable<WaitingPing['made']>) {
    if (recipient_ids.length < 2) return publishNotice({ kind: 'notice', text: t('pings.create.createdWithoutChat') })
    const body = { name: pingChatName(name), participant_ids: recipient_ids, ping_id: id, system_created: true }
    try {
      const conversation = await call('POST /messages/conversations/', { body })
      patchPing(queryClient, id, (ping) => withConversation(ping, conversation.id))
      void refetchChats(queryClient)
      publishNotice({ kind: 'notice', text: t('pings.create.createdWithChat', { chatName: conversation.name ?? '' }) })
    } catch (error) {
      if (isTransient(error)) throw error
      publishNotice({ kind: 'notice', text: t('pings.create.createdChatFailed') })
    }
  }

  async function sendImage({ id }: NonNullable<WaitingPing['made']>, image: Blob, signal: AbortSignal) {
    try {
      await sendPingImage(id, image, () => patchPing(queryClient, id, (ping) => ({ ...ping, has_image: true })), signal)
      publishNotice({ kind: 'notice', text: t('pings.create.created') })
    } catch (error) {
      if (isTransient(error)) throw error
      publishNotice({ kind: 'error', text: t('files.pingImageUploadFailed') })
    }
  }

  function change(clientId: string, change: Partial<WaitingPing>) {
    return waitingPings.edit(viewerId, (pings) => withChangedPing(pings, clientId, change))
  }
}

/** Sends the waiting responses. */
export function startResponseOutbox(queryClient: QueryClient, viewerId: UserId): Sender {
  return startSender({
    lock: responsesLock(viewerId),
    reread: waitingResponses.reread,
    subscribe: waitingResponses.subscribe,
    next: () => (isSignedIn(viewerId) ? nextResponse(waitingResponses.items(), sendingIds) : undefined),
    async send(answer, isStopped) {
      await sendResponse(queryClient, answer)
      if (isStopped()) return
      await waitingResponses.edit(viewerId, (answers) => without(answers, answer.client_id))
      readAgain(answer.ping_id)
    },
    async refuse(answer, error) {
      await waitingResponses.edit(viewerId, (answers) => without(answers, answer.client_id))
      readAgain(answer.ping_id)
      const fallback = answer.response_type === null ? t('pings.removeResponseFailed') : t('pings.respondFailed')
      publishNotice({ kind: 'error', text: `${answer.ping_name}: ${messageOf(error, fallback)}` })
    },
  })

  function readAgain(pingId: Parameters<typeof pingQuery>[0]) {
    void refetchLists(queryClient)
    void queryClient.invalidateQueries(pingQuery(pingId))
  }
}

/** Calls are made in the name of the user who is signed in at that moment. */
function isSignedIn(viewerId: UserId): boolean {
  return sessionState().user?.id === viewerId
}
