import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useLiveStatus } from '../live/live-status.ts'
import { summariesQuery, useMarkRead } from './chat.api.ts'
import { type OpenConversation } from './chat-changes.ts'

const attemptsMax = 3

/** Marks the conversation read once its newest message is really before someone's eyes, and something is unread. */
export function useMarkReadOnSight({ conversation, lastSeq }: OpenConversation, isAtBottom: boolean) {
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
    // A server that refuses is not asked for ever; the next message or connection is another occasion.
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
