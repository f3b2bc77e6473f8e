import type { MessageId } from '@hither/contract/ids.ts'
import { notifyManager } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useState } from 'react'
import { messageOf } from '../../api/api-error.ts'
import { t } from '../../i18n/translate.ts'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import type { OpenConversation } from '../chat-changes.ts'
import { useLeaveWindow, useLoadAround } from '../messages.mutations.ts'
import { type MessageRow, rowOfMessage } from './message-rows.ts'

interface Target {
  messageId: MessageId
  /** Where a deleted message was. */
  seq: number | undefined
  /** Whether its page is on the screen. */
  state: 'unknown' | 'loading' | 'loaded'
}

interface Scroll {
  scrollToRow: (key: string) => void
  release: () => void
}

const highlightMs = 2000

/** Scrolls to a message, loads it if needed, and highlights it. */
export function useJump(
  { conversation, messages, window }: OpenConversation,
  rows: readonly MessageRow[],
  scroll: Scroll,
) {
  const [target, setTarget] = useState<Target | null>(null)
  const [highlighted, setHighlighted] = useState<{ key: string } | null>(null)
  const { mutate } = useLoadAround(conversation.id)
  const leaveWindow = useLeaveWindow(conversation.id)
  const { showError } = useSnackbar()

  // biome-ignore lint/correctness/useExhaustiveDependencies: `scroll` reads references only
  useLayoutEffect(() => {
    if (target === null || target.state === 'loading') return
    const isLoaded = target.state === 'loaded'
    const row = rowOfMessage(rows, target.messageId) ?? (isLoaded ? nearestRow(rows, target.seq) : undefined)
    if (row !== undefined) {
      setTarget(null)
      setHighlighted({ key: row.key })
      scroll.scrollToRow(row.key)
      return
    }
    if (isLoaded) return setTarget(null)
    scroll.release()
    // It is among the newest pages, which are not shown at the moment.
    if (window !== null && messages.some(({ id }) => id === target.messageId)) return leaveWindow()
    setTarget({ ...target, state: 'loading' })
    mutate(target.messageId, {
      // The query notifies its observers through the same queue, so the page is on the screen before this runs.
      onSuccess: () =>
        notifyManager.schedule(() =>
          setTarget((before) => (before?.state === 'loading' ? { ...before, state: 'loaded' } : before)),
        ),
      onError: (error) => {
        setTarget(null)
        showError(messageOf(error, t('chat.loadFailed')))
      },
    })
  }, [target, rows, window, messages, leaveWindow, mutate, showError])

  useEffect(() => {
    if (highlighted === null) return
    const timer = setTimeout(() => setHighlighted(null), highlightMs)
    return () => clearTimeout(timer)
  }, [highlighted])

  function jumpTo(messageId: MessageId, seq?: number) {
    setTarget({ messageId, seq, state: 'unknown' })
  }

  return { jumpTo, isJumping: target !== null, highlightedKey: highlighted?.key }
}

/** The row where a deleted message was. */
function nearestRow(rows: readonly MessageRow[], seq: number | undefined): MessageRow | undefined {
  if (seq === undefined) return rows[Math.floor(rows.length / 2)]
  return rows.findLast((row) => row.kind !== 'outgoing' && row.message.seq <= seq) ?? rows[0]
}
