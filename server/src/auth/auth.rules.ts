import { authLimits } from '@hither/contract/runtime/auth/auth.ts'

/**
 * The verdict on a presented refresh token. `again` is a second use within the grace period, by a tab that lost the
 * race.
 */
type RefreshVerdict = 'rotate' | 'again' | 'reused' | 'ended'

export interface PresentedToken {
  used_at: string | null
  session_ended_at: string | null
  session_expires_at: string
}

/**
 * How far the clock of the node that used the token may be ahead of this one. A larger difference means that this clock
 * was set back, and the token may be a stolen copy.
 */
const clockSkewMs = 60_000

/**
 * Judges a refresh token. Each one is valid once. Two tabs may present the same token within the grace period and get
 * the same successor; a later use means that somebody has a copy, and the whole family must end (RFC 9700, 4.14.2).
 */
export function judgeRefresh(token: PresentedToken, now: Date): RefreshVerdict {
  if (token.session_ended_at !== null || Date.parse(token.session_expires_at) <= now.getTime()) return 'ended'
  if (token.used_at === null) return 'rotate'
  const sinceMs = now.getTime() - Date.parse(token.used_at)
  return sinceMs >= -clockSkewMs && sinceMs <= authLimits.refreshGraceSeconds * 1000 ? 'again' : 'reused'
}

// User agents contain the names of older browsers for compatibility: the first match counts.
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOPiOS\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|HeadlessChrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/**
 * Returns a readable name for the header `User-Agent`, such as "Firefox on Windows", or `null` if it is unknown.
 * Returns only words from this file, so that no text made up by a client is stored or shown, and no versions, which
 * would identify devices.
 */
export function deviceOf(userAgent: string): string | null {
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1]
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1]
  return browser && system ? `${browser} on ${system}` : (system ?? browser ?? null)
}
