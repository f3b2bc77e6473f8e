import type { PingId, UserId } from '@hither/contract/ids.ts'
import { pageMax } from '@hither/contract/runtime/pages.ts'
import { hashKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { serverNow } from '../api/server-time.ts'
import { summariesQuery } from '../chat/chat.api.ts'
import { totalUnread } from '../chat/chat-changes.ts'
import { clockErrorMs } from '../chat/dates/chat-date.rules.ts'
import { currentRegistration } from '../notifications/push/push-device.ts'
import { pingQuery } from '../pings/pings.api.ts'
import { findInLists } from '../pings/pings.cache.ts'
import { dataOf } from '../service-worker/push.rules.ts'
import { isObsolete } from './notification-cleanup.rules.ts'

/** Several changes within this time cause one cleanup. */
const settleMs = 250

/** Closes notifications of read messages and answered pings, and shows the number of unread messages as the app's badge. */
export function useNotificationCleanup(viewerId: UserId) {
  const queryClient = useQueryClient()
  // Reads the cache only and sends no request.
  const { data: unread } = useQuery({ ...summariesQuery(), select: totalUnread, enabled: false })

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let requestedAtMs: number | null = null
    let listedAtMs: number | null = null

    function schedule() {
      timer ??= setTimeout(() => void cleanUp().catch(() => undefined), settleMs)
    }

    async function cleanUp() {
      timer = undefined
      if (Notification.permission !== 'granted') return
      const registration = await currentRegistration()
      const summaries = queryClient.getQueryData(summariesQuery().queryKey)
      const known = {
        viewerId,
        summaries,
        listedAtMs: summaries !== undefined && summaries.length < pageMax ? listedAtMs : null,
        findPing: (id: PingId) => queryClient.getQueryData(pingQuery(id).queryKey) ?? findInLists(queryClient, id),
      }
      for (const notification of (await registration?.getNotifications()) ?? [])
        if (isObsolete(dataOf(notification.data), known)) notification.close()
    }

    const unsubscribe = queryClient.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated') return
      const isList = hashKey(event.query.queryKey) === hashKey(summariesQuery().queryKey)
      if (isList && event.action.type === 'fetch') requestedAtMs = serverNow() - clockErrorMs
      if (event.action.type !== 'success') return
      if (isList && !event.action.manual) listedAtMs = requestedAtMs
      schedule()
    })
    // Notifications may have arrived while the page was in the background.
    const handleVisibilityChange = () => document.visibilityState === 'visible' && schedule()
    document.addEventListener('visibilitychange', handleVisibilityChange)
    schedule()
    return () => {
      clearTimeout(timer)
      unsubscribe()
      document.removeEventListener('visibilitychange', handleVisibilityChange)
    }
  }, [queryClient, viewerId])

  useEffect(() => {
    if (unread === undefined || !('setAppBadge' in navigator)) return
    void navigator.setAppBadge(unread).catch(() => undefined)
  }, [unread])
}
