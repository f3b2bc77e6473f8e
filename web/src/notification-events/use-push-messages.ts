import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { ResponseType } from '@hither/contract/pings.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { clientConfigQuery } from '../api/client-config.ts'
import { newId } from '../device/ids.ts'
import { alignPush } from '../notifications/push/push-device.ts'
import { isPushMessage, type PushReply } from '../service-worker/push-messages.ts'
import { takeResponses } from '../service-worker/push-store.ts'
import { sessionState } from '../session/session.ts'

/** A response that was given with a button of a notification. */
export interface PushResponse {
  readonly id: string
  readonly ping_id: PingId
  readonly response_type: ResponseType
  /** The revision of the ping that the notification described, if it named one. */
  readonly revision: number | null
  /** Reports the result to the service worker: the error text, or null on success or if the error was already shown. */
  readonly reply: (failure: string | null) => void
}

interface Handlers {
  onOpen: (path: string) => void
  onAnswer: (answer: PushResponse) => void
}

/** Handles the requests of the service worker, which receives the taps but has no session. */
export function usePushMessages(userId: UserId, handlers: Handlers) {
  const queryClient = useQueryClient()
  const latest = useRef(handlers)
  latest.current = handlers

  useEffect(() => {
    function handleMessage({ data, ports: [port] }: MessageEvent<unknown>) {
      if (!isPushMessage(data) || port === undefined) return
      const reply = (answer: PushReply) => port.postMessage(answer)
      if (data.type === 'look' && !isLookingAt(data.path)) return reply({ type: 'done', failure: null })
      reply({ type: 'taken' })
      if (data.type === 'open') return latest.current.onOpen(data.path)
      if (data.type === 'answer') {
        const replyDone = (failure: string | null) => reply({ type: 'done', failure })
        return latest.current.onAnswer({ ...data, id: newId(), reply: replyDone })
      }
      if (data.type !== 'renewed') return
      const findKey = async () => (await queryClient.query(clientConfigQuery())).push_key
      void alignPush(sessionState().user, findKey).catch(() => undefined)
    }

    const { serviceWorker } = navigator
    serviceWorker.addEventListener('message', handleMessage)
    serviceWorker.startMessages()
    return () => serviceWorker.removeEventListener('message', handleMessage)
  }, [queryClient])

  // Sends the responses that were given while no page was open.
  useEffect(() => {
    void takeResponses(userId, Date.now())
      .catch(() => [])
      .then((answers) => {
        for (const { ping_id, response_type, revision = null } of answers)
          latest.current.onAnswer({ id: newId(), ping_id, response_type, revision, reply: () => undefined })
      })
  }, [userId])
}

function isLookingAt(path: string): boolean {
  return document.visibilityState === 'visible' && document.hasFocus() && location.pathname === path
}
