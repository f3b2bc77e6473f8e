import { type PingId, type UserId } from '@hither/contract/ids.ts'
import { type ResponseType } from '@hither/contract/pings.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { clientConfigQuery } from '../api/client-config.ts'
import { sessionState } from '../auth/session.ts'
import { isPushMessage, type PushReply } from '../service-worker/push-messages.ts'
import { alignPush } from './push-device.ts'
import { takeAnswers } from './push-store.ts'

/** An answer by a button of a notification. */
export interface Given {
  readonly id: string
  readonly ping_id: PingId
  readonly response_type: ResponseType
  /** Tells the service worker how it went; null: well, or it has been said. */
  readonly tell: (failure: string | null) => void
}

interface Handlers {
  onOpen: (path: string) => void
  onAnswer: (answer: Given) => void
}

/** What the service worker asks this page to do: it hears of taps, and holds no session. */
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
        const tell = (failure: string | null) => reply({ type: 'done', failure })
        return latest.current.onAnswer({ ...data, id: crypto.randomUUID(), tell })
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

  // What was answered while no page was open.
  useEffect(() => {
    void takeAnswers(userId, Date.now())
      .catch(() => [])
      .then((answers) => {
        for (const { ping_id, response_type } of answers)
          latest.current.onAnswer({ id: crypto.randomUUID(), ping_id, response_type, tell: () => undefined })
      })
  }, [userId])
}

function isLookingAt(path: string): boolean {
  return document.visibilityState === 'visible' && document.hasFocus() && location.pathname === path
}
