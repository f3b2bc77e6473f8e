import type { UserId } from '@hither/contract/ids.ts'
import type { Message } from '@hither/contract/messages/messages.ts'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { t } from '../../i18n/translate.ts'
import { useLiveStatus } from '../../realtime/live-status.ts'
import { putEdit, removeFromOutbox, waitingMessages } from './message-outbox.ts'

/** How long to wait for the server, in milliseconds. After that the text is shown as waiting. */
const waitMs = 4000

/**
 * Stores a new text in the outbox and waits for the server. Calls `onSaved` when it has accepted the text, or when the text has
 * to wait because the server does not respond.
 */
export function useSavedEdit(message: Message, viewerId: UserId, onSaved: () => void) {
  const items = useSyncExternalStore(waitingMessages.subscribe, waitingMessages.items)
  const isOffline = useLiveStatus() === 'offline'
  const [clientId, setClientId] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const saved = useRef(onSaved)
  saved.current = onSaved
  const item = clientId === null ? undefined : items.find(({ client_id }) => client_id === clientId)
  const isRefused = item?.state === 'failed'
  const isAccepted = clientId !== null && item === undefined
  const isWaiting = clientId !== null && item?.state === 'waiting'

  useEffect(() => {
    if (isAccepted || (isWaiting && isOffline)) return saved.current()
    if (isRefused && clientId !== null) {
      setError(item.reason ?? t('chat.editFailed'))
      setClientId(null)
      void removeFromOutbox(viewerId, clientId)
    }
    if (!isWaiting) return
    const timer = setTimeout(() => saved.current(), waitMs)
    return () => clearTimeout(timer)
  }, [isAccepted, isWaiting, isOffline, isRefused, clientId, item, viewerId])

  async function save(content: string) {
    setError(null)
    const { client_id } = await putEdit(viewerId, message, content)
    setClientId(client_id)
  }

  return {
    save: (content: string) => void save(content),
    isSaving: clientId !== null,
    error,
    clearError: () => setError(null),
  }
}
