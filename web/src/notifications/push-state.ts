import { type UserId } from '@hither/contract/ids.ts'

/**
 * `install`: only once it is on the home screen; `unsupported`: not by this browser; `unavailable`: not by this server;
 * `denied`: the browser has been told not to.
 */
export type PushState = 'checking' | 'native' | 'install' | 'unsupported' | 'unavailable' | 'denied' | 'off' | 'on'

export interface PushFacts {
  readonly isNative: boolean
  readonly isSupported: boolean
  /** An iPhone or iPad, in a tab of its browser. */
  readonly needsInstalling: boolean
  readonly permission: NotificationPermission
  /** The server's key; undefined until it is known. */
  readonly pushKey: string | null | undefined
  /** Whose notifications this device shows; undefined until it is known. */
  readonly owner: UserId | null | undefined
  readonly viewerId: UserId
}

export function pushStateOf(facts: PushFacts): PushState {
  const { isNative, isSupported, needsInstalling, permission, pushKey, owner, viewerId } = facts
  if (isNative) return 'native'
  if (needsInstalling) return 'install'
  if (!isSupported) return 'unsupported'
  if (pushKey === null) return 'unavailable'
  if (permission === 'denied') return 'denied'
  if (pushKey === undefined || owner === undefined) return 'checking'
  return permission === 'granted' && owner === viewerId ? 'on' : 'off'
}

/** Of the browser this runs in: what is not there, it cannot do. */
export function deviceFacts(window: Window & typeof globalThis) {
  const { navigator } = window
  const isApple = /iPhone|iPad|iPod/.test(navigator.userAgent) || (isMac(navigator) && navigator.maxTouchPoints > 1)
  const isSupported = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
  return { isSupported, needsInstalling: isApple && !isSupported }
}

/** What an iPad says it is. */
function isMac({ userAgent }: Navigator): boolean {
  return /Macintosh/.test(userAgent)
}
