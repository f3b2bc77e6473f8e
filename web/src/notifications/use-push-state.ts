import { type User } from '@hither/contract/users.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useReducer, useSyncExternalStore } from 'react'
import { clientConfigQuery } from '../api/client-config.ts'
import { isNative } from '../platform/is-native.ts'
import { knownOwner, subscribeToPushDevice } from './push-device.ts'
import { deviceFacts, type PushState, pushStateOf } from './push-state.ts'

/** Whether this person is notified on this device, and if not, why. */
export function usePushState({ id: viewerId }: User): { state: PushState; pushKey: string | null } {
  const owner = useSyncExternalStore(subscribeToPushDevice, knownOwner)
  const { data: config } = useQuery(clientConfigQuery())
  const facts = deviceFacts(window)
  const state = pushStateOf({
    ...facts,
    isNative: isNative(),
    // Served by a service worker in a build only.
    isSupported: facts.isSupported && import.meta.env.PROD,
    permission: usePermission(),
    pushKey: config?.push_key,
    owner,
    viewerId,
  })
  return { state, pushKey: config?.push_key ?? null }
}

/** As it is now, also after somebody has changed it in the settings of the browser. */
function usePermission(): NotificationPermission {
  const permission = useSyncExternalStore(subscribeToPushDevice, () =>
    'Notification' in window ? Notification.permission : 'denied',
  )
  const [, look] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    let status: PermissionStatus | null = null
    let isOver = false
    void navigator.permissions
      ?.query({ name: 'notifications' })
      .then((found) => {
        if (isOver) return
        status = found
        found.addEventListener('change', look)
      })
      .catch(() => undefined)
    return () => {
      isOver = true
      status?.removeEventListener('change', look)
    }
  }, [])
  return permission
}
