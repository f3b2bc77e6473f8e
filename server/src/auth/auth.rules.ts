import { authLimits } from '@hither/contract/auth.ts'

/** What a presented refresh token is: `again` means a second use within the grace, by a tab that lost the race. */
export type RefreshVerdict = 'rotate' | 'again' | 'reused' | 'ended'

export interface PresentedToken {
  used_at: string | null
  session_ended_at: string | null
  session_expires_at: string
}

/**
 * Each refresh token is good once. Two tabs may present the same one within the grace, and each gets a token of its own;
 * presented later, somebody has a copy, and the whole family must end (RFC 9700, 4.14.2).
 */
export function judgeRefresh(token: PresentedToken, now: Date): RefreshVerdict {
  if (token.session_ended_at !== null || Date.parse(token.session_expires_at) <= now.getTime()) return 'ended'
  if (token.used_at === null) return 'rotate'
  return now.getTime() - Date.parse(token.used_at) <= authLimits.refreshGraceSeconds * 1000 ? 'again' : 'reused'
}
