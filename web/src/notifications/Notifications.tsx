import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { clientConfigQuery } from '../api/client-config.ts'
import { useSession } from '../auth/session.ts'
import { isNative } from '../platform/is-native.ts'
import { alignPush } from './push-device.ts'

const NotificationEvents = lazy(async () => ({
  default: (await import('./NotificationEvents.tsx')).NotificationEvents,
}))

interface Props {
  /** Leads to a path of the app without loading it anew. */
  onOpen: (path: string) => void
}

/** Whatever has to do with notifications and belongs to no screen. It never asks for the permission. */
export function Notifications({ onOpen }: Props) {
  const { user } = useSession()
  const queryClient = useQueryClient()
  const userId = user?.id
  const isPossible = !isNative() && 'serviceWorker' in navigator && 'Notification' in window

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new name or picture changes nothing here
  useEffect(() => {
    if (!isPossible) return
    // The server's key as it is now: with a kept one of before, nothing would arrive.
    const findKey = async () => (await queryClient.query({ ...clientConfigQuery(), staleTime: 0 })).push_key
    void alignPush(user, findKey).catch(() => undefined)
  }, [queryClient, userId])

  if (user === null || !isPossible) return null
  return (
    <Suspense fallback={null}>
      <NotificationEvents key={user.id} user={user} onOpen={onOpen} />
    </Suspense>
  )
}
