import { type UserId } from '@hither/contract/ids.ts'
import { createConversation, pingChatName } from '@hither/contract/messages.ts'
import { createPing } from '@hither/contract/pings.ts'
import { type QueryClient } from '@tanstack/react-query'
import { ApiError, isPassing, messageOf } from '../api/api-error.ts'
import { call } from '../api/transport.ts'
import { sessionState } from '../auth/session.ts'
import { refetchList as refetchChats } from '../chat/chat.api.ts'
import { tell } from '../outbox/notices.ts'
import { type Sender, startSender } from '../outbox/sender.ts'
import { sendAnswer } from './answers.ts'
import { answersLock, inHand, pingsLock, waitingAnswers, waitingPings } from './ping-outbox.ts'
import { sendPingImage } from './ping-uploads.ts'
import {
  type CreatedPing,
  isWhole,
  noPingReturned,
  patchPing,
  pingQuery,
  putIntoLists,
  refetchLists,
} from './pings.api.ts'
import { createStrings, pingStrings } from './strings.ts'
import { nextAnswer, nextPing, type WaitingPing, withChangedPing, without } from './waiting.rules.ts'

/** Sends the pins that wait, each with its chat and its picture. */
export function startPingOutbox(queryClient: QueryClient, viewerId: UserId): Sender {
  return startSender<WaitingPing>({
    lock: pingsLock(viewerId),
    reread: waitingPings.reread,
    subscribe: waitingPings.subscribe,
    next: () => (isHere(viewerId) ? nextPing(waitingPings.items(), Date.now(), inHand) : undefined),
    async send(waiting, isStopped) {
      const { client_id } = waiting
      const made = waiting.made ?? (await make(waiting, isStopped))
      if (isStopped()) return
      if (waiting.wants_chat) await startChat(made)
      if (waiting.wants_chat) await change(client_id, { wants_chat: false })
      if (waiting.image !== null && !isStopped()) await sendImage(made, waiting.image)
      if (!isStopped()) await waitingPings.edit(viewerId, (pings) => without(pings, client_id))
    },
    async refuse({ client_id }, error) {
      // Deleted elsewhere since it was made.
      const isGone = error instanceof ApiError && error.status === 404
      if (isGone) return waitingPings.edit(viewerId, (pings) => without(pings, client_id))
      const refusal = messageOf(error, createStrings.createFailed)
      await change(client_id, { refusal })
      tell({ kind: 'error', text: refusal })
    },
  })

  async function make({ client_id, input, wants_chat, image }: WaitingPing, isStopped: () => boolean) {
    const ping: CreatedPing | null = await call(createPing, { body: { ...input, client_id } })
    if (ping === null || !isWhole(ping)) throw noPingReturned()
    const { id, name, recipients } = ping
    const made = { id, name, recipient_ids: recipients.map(({ recipient_id }) => recipient_id) }
    if (isStopped()) return made
    putIntoLists(queryClient, ping, true)
    void refetchLists(queryClient)
    await change(client_id, { made })
    if (!wants_chat && image === null) tell({ kind: 'notice', text: createStrings.created })
    return made
  }

  async function startChat({ id, name, recipient_ids }: NonNullable<WaitingPing['made']>) {
    if (recipient_ids.length < 2) return tell({ kind: 'notice', text: createStrings.createdWithoutChat })
    const body = { name: pingChatName(name), participant_ids: recipient_ids, ping_id: id, system_created: true }
    try {
      const conversation = await call(createConversation, { body })
      patchPing(queryClient, id, (ping) =>
        'conversation_id' in ping ? { ...ping, conversation_id: conversation.id } : ping,
      )
      void refetchChats(queryClient)
      tell({ kind: 'notice', text: createStrings.createdWithChat(conversation.name ?? '') })
    } catch (error) {
      if (isPassing(error)) throw error
      tell({ kind: 'notice', text: createStrings.createdChatFailed })
    }
  }

  async function sendImage({ id }: NonNullable<WaitingPing['made']>, image: Blob) {
    try {
      await sendPingImage(id, image, () => patchPing(queryClient, id, (ping) => ({ ...ping, has_image: true })))
      tell({ kind: 'notice', text: createStrings.created })
    } catch (error) {
      if (isPassing(error)) throw error
      tell({ kind: 'error', text: createStrings.imageFailed })
    }
  }

  function change(clientId: string, change: Partial<WaitingPing>) {
    return waitingPings.edit(viewerId, (pings) => withChangedPing(pings, clientId, change))
  }
}

/** Sends the answers that wait. */
export function startAnswerOutbox(queryClient: QueryClient, viewerId: UserId): Sender {
  return startSender({
    lock: answersLock(viewerId),
    reread: waitingAnswers.reread,
    subscribe: waitingAnswers.subscribe,
    next: () => (isHere(viewerId) ? nextAnswer(waitingAnswers.items(), inHand) : undefined),
    async send(answer, isStopped) {
      await sendAnswer(answer)
      if (isStopped()) return
      await waitingAnswers.edit(viewerId, (answers) => without(answers, answer.client_id))
      readAgain(answer.ping_id)
    },
    async refuse(answer, error) {
      await waitingAnswers.edit(viewerId, (answers) => without(answers, answer.client_id))
      readAgain(answer.ping_id)
      const fallback = answer.response_type === null ? pingStrings.removeResponseFailed : pingStrings.respondFailed
      tell({ kind: 'error', text: `${answer.ping_name}: ${messageOf(error, fallback)}` })
    },
  })

  function readAgain(pingId: Parameters<typeof pingQuery>[0]) {
    void refetchLists(queryClient)
    void queryClient.invalidateQueries(pingQuery(pingId))
  }
}

/** The calls go out in the name of whoever is signed in at that moment. */
function isHere(viewerId: UserId): boolean {
  return sessionState().user?.id === viewerId
}
