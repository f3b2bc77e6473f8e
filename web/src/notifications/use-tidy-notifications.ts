import { type PingId, type UserId } from '@hither/contract/ids.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { summariesQuery } from '../chat/chat.api.ts'
import { totalUnread } from '../chat/chat-changes.ts'
import { findInLists, pingQuery } from '../pings/pings.api.ts'
import { dataOf } from '../service-worker/push.rules.ts'
import { currentRegistration } from './push-device.ts'
import { isSettled } from './shown.rules.ts'

/** What is read and answered in one go is tidied in one. */
const settleMs = 250

/** Takes away what is read or answered, here or elsewhere, and shows on the icon of the app how much is unread. */
export function useTidyNotifications(viewerId: UserId) {
  const queryClient = useQueryClient()
  // Whatever is known already: this asks for nothing.
  const { data: unread } = useQuery({ ...summariesQuery(), select: totalUnread, enabled: false })

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined

    function schedule() {
      timer ??= setTimeout(() => void tidy().catch(() => undefined), settleMs)
    }

    async function tidy() {
      timer = undefined
      if (Notification.permission !== 'granted') return
      const registration = await currentRegistration()
      const known = {
        viewerId,
        summaries: queryClient.getQueryData(summariesQuery().queryKey),
        findPing: (id: PingId) => queryClient.getQueryData(pingQuery(id).queryKey) ?? findInLists(queryClient, id),
      }
      for (const notification of (await registration?.getNotifications()) ?? [])
        if (isSettled(dataOf(notification.data), known)) notification.close()
    }

    const unsubscribe = queryClient.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'success') schedule()
    })
    // What came while this page was asleep.
    const handleSight = () => document.visibilityState === 'visible' && schedule()
    document.addEventListener('visibilitychange', handleSight)
    schedule()
    return () => {
      clearTimeout(timer)
      unsubscribe()
      document.removeEventListener('visibilitychange', handleSight)
    }
  }, [queryClient, viewerId])

  useEffect(() => {
    if (unread === undefined || !('setAppBadge' in navigator)) return
    void navigator.setAppBadge(unread).catch(() => undefined)
  }, [unread])
}
