import { createStore, useStore } from 'zustand'
import { deviceStorage } from '../device/storage.ts'

const key = 'appear_offline'

/**
 * The setting is stored on this device only, so that another device that the user forgot about cannot show them as
 * online.
 */
const setting = createStore(() => ({ isOffline: readStored() }))

if (typeof window !== 'undefined') {
  window.addEventListener('storage', ({ key: changed }) => {
    if (changed === key || changed === null) setting.setState({ isOffline: readStored() })
  })
}

export function isAppearingOffline(): boolean {
  return setting.getState().isOffline
}

export function useAppearOffline(): boolean {
  return useStore(setting, ({ isOffline }) => isOffline)
}

export function setAppearOffline(isOffline: boolean) {
  if (isOffline) deviceStorage.setItem(key, 'yes')
  else deviceStorage.removeItem(key)
  setting.setState({ isOffline })
}

/** Calls back after a change here or in another tab. */
export const subscribeToAppearOffline: (listener: () => void) => () => void = setting.subscribe

function readStored(): boolean {
  return deviceStorage.getItem(key) === 'yes'
}
