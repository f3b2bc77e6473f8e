import type { PingId, UserId } from '@hither/contract/ids.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { summariesQuery } from '../chat/chat.api.ts'
import { totalUnread } from '../chat/chat-changes.ts'
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

    function schedule() {
      timer ??= setTimeout(() => void cleanUp().catch(() => undefined), settleMs)
    }

    async function cleanUp() {
      timer = undefined
      if (Notification.permission !== 'granted') return
      const registration = await currentRegistration()
      const known = {
        viewerId,
        summaries: queryClient.getQueryData(summariesQuery().queryKey),
        findPing: (id: PingId) => queryClient.getQueryData(pingQuery(id).queryKey) ?? findInLists(queryClient, id),
      }
      for (const notification of (await registration?.getNotifications()) ?? [])
        if (isObsolete(dataOf(notification.data), known)) notification.close()
    }

    const unsubscribe = queryClient.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'success') schedule()
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
