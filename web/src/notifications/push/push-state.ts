import type { UserId } from '@hither/contract/ids.ts'

/**
 * `insecure`: only on a page with HTTPS; `install`: only after installing to the home screen; `unsupported`: not in this browser; `unavailable`: not on this
 * server; `denied`: the user has blocked notifications in the browser.
 */
export type PushState =
  | 'checking'
  | 'native'
  | 'insecure'
  | 'install'
  | 'unsupported'
  | 'unavailable'
  | 'denied'
  | 'off'
  | 'on'

export interface PushFacts {
  readonly isNative: boolean
  /** Whether the page has no HTTPS. */
  readonly isInsecure?: boolean
  readonly isSupported: boolean
  /** An iPhone or iPad with the page in a browser tab. */
  readonly needsInstalling: boolean
  readonly permission: NotificationPermission
  /** The public key of the server; undefined until it is known. */
  readonly pushKey: string | null | undefined
  /** The user whose notifications this device shows; undefined until it is known. */
  readonly owner: UserId | null | undefined
  readonly viewerId: UserId
}

export function pushStateOf(facts: PushFacts): PushState {
  const { isNative, isInsecure = false, isSupported, needsInstalling, permission, pushKey, owner, viewerId } = facts
  if (isNative) return 'native'
  if (isInsecure) return 'insecure'
  if (needsInstalling) return 'install'
  if (!isSupported) return 'unsupported'
  if (pushKey === null) return 'unavailable'
  if (permission === 'denied') return 'denied'
  if (pushKey === undefined || owner === undefined) return 'checking'
  return permission === 'granted' && owner === viewerId ? 'on' : 'off'
}

/** Returns what this browser supports. */
export function deviceFacts(window: Window & typeof globalThis) {
  const { navigator } = window
  const isApple = /iPhone|iPad|iPod/.test(navigator.userAgent) || (isMac(navigator) && navigator.maxTouchPoints > 1)
  const isSupported = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
  return { isSupported, needsInstalling: isApple && !isSupported }
}

/** An iPad also identifies itself as a Mac. */
function isMac({ userAgent }: Navigator): boolean {
  return /Macintosh/.test(userAgent)
}
