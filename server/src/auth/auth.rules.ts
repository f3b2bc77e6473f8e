import { authLimits } from '@hither/contract/auth.ts'

/** What a presented refresh token is: `again` means a second use within the grace, by a tab that lost the race. */
export type RefreshVerdict = 'rotate' | 'again' | 'reused' | 'ended'

export interface PresentedToken {
  used_at: string | null
  session_ended_at: string | null
  session_expires_at: string
}

/** The clock of the node where it was used may be ahead of ours. Beyond that, ours was set back, and it may be anybody's copy. */
const clockSkewMs = 60_000

/**
 * Each refresh token is good once. Two tabs may present the same one within the grace, and both get the same successor;
 * presented later, somebody has a copy, and the whole family must end (RFC 9700, 4.14.2).
 */
export function judgeRefresh(token: PresentedToken, now: Date): RefreshVerdict {
  if (token.session_ended_at !== null || Date.parse(token.session_expires_at) <= now.getTime()) return 'ended'
  if (token.used_at === null) return 'rotate'
  const sinceMs = now.getTime() - Date.parse(token.used_at)
  return sinceMs >= -clockSkewMs && sinceMs <= authLimits.refreshGraceSeconds * 1000 ? 'again' : 'reused'
}

// Each names itself and, for old sites' sake, those before it: the first that fits is meant.
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
 * The header `User-Agent` for people, such as "Firefox on Windows". Only words of ours, so that nothing a client makes up is
 * kept or shown, and versions, which would tell devices apart beyond need, are not. `null` where it is none of these.
 */
export function deviceOf(userAgent: string): string | null {
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1]
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1]
  return browser && system ? `${browser} on ${system}` : (system ?? browser ?? null)
}
