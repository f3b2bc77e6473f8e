import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useLiveStatus } from '../../realtime/live-status.ts'
import { summariesQuery } from '../chat.api.ts'
import type { OpenConversation } from '../chat-changes.ts'
import { useMarkRead } from '../messages.mutations.ts'

const attemptsMax = 3

/** Marks the conversation as read when its newest message is visible and the window has the focus. */
export function useMarkReadWhenVisible({ conversation, lastSeq }: OpenConversation, isAtBottom: boolean) {
  const { id } = conversation
  const { mutate, isPending } = useMarkRead(id)
  const { data: unread = 0 } = useQuery({
    ...summariesQuery(),
    select: (summaries) => summaries.find((summary) => summary.id === id)?.unread_count ?? 0,
  })
  const isVisible = useSyncExternalStore(subscribeToVisibility, () => document.visibilityState === 'visible')
  const attempts = useRef({ at: '', count: 0 })
  const at = `${lastSeq} ${useLiveStatus()}`

  useEffect(() => {
    if (!isVisible || !isAtBottom || unread === 0 || isPending) return
    // Limits the attempts after a refusal. The next message or connection starts again.
    if (attempts.current.at !== at) attempts.current = { at, count: 0 }
    if (attempts.current.count >= attemptsMax) return
    attempts.current.count++
    mutate()
  }, [isVisible, isAtBottom, unread, isPending, at, mutate])
}

function subscribeToVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}
