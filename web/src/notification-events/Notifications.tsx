import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { clientConfigQuery } from '../api/client-config.ts'
import { alignPush } from '../notifications/push/push-device.ts'
import { isNative } from '../platform/is-native.ts'
import { useSession } from '../session/session.ts'
import { loadPart } from '../ui/load-module.ts'

const NotificationEvents = lazy(async () => ({
  default: (await loadPart(() => import('./NotificationEvents.tsx'))).NotificationEvents,
}))

interface Props {
  /** Opens a path of the app without a reload. */
  onOpen: (path: string) => void
}

/** The notification features that belong to no screen. They never request the permission. */
export function Notifications({ onOpen }: Props) {
  const { user } = useSession()
  const queryClient = useQueryClient()
  const userId = user?.id
  const isPossible = !isNative() && 'serviceWorker' in navigator && 'Notification' in window

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new name or image has no effect here
  useEffect(() => {
    if (!isPossible) return
    // The current key of the server. With an outdated cached key, no push would arrive.
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
