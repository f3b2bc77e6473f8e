import type { User } from '@hither/contract/users.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useStore } from 'zustand'
import { clientConfigQuery } from '../../api/client-config.ts'
import { isNative } from '../../platform/is-native.ts'
import { pushDevice, readPermission } from './push-device.ts'
import { deviceFacts, type PushState, pushStateOf } from './push-state.ts'

/** Returns whether the user gets notifications on this device, and if not, why. */
export function usePushState({ id: viewerId }: User): { state: PushState; pushKey: string | null } {
  const owner = useStore(pushDevice, (device) => device.owner)
  const { data: config } = useQuery(clientConfigQuery())
  const facts = deviceFacts(window)
  const state = pushStateOf({
    ...facts,
    isNative: isNative(),
    isInsecure: globalThis.isSecureContext === false,
    // Only a build has a service worker.
    isSupported: facts.isSupported && import.meta.env.PROD,
    permission: usePermission(),
    pushKey: config?.push_key,
    owner,
    viewerId,
  })
  return { state, pushKey: config?.push_key ?? null }
}

/** Returns the current permission, also after a change in the browser's settings. */
function usePermission(): NotificationPermission {
  useEffect(() => {
    readPermission()
    let status: PermissionStatus | null = null
    let isCanceled = false
    void navigator.permissions
      ?.query({ name: 'notifications' })
      .then((found) => {
        if (isCanceled) return
        status = found
        found.addEventListener('change', readPermission)
      })
      .catch(() => undefined)
    return () => {
      isCanceled = true
      status?.removeEventListener('change', readPermission)
    }
  }, [])
  return useStore(pushDevice, ({ permission }) => permission)
}
