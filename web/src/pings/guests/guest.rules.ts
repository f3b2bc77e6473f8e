import type { Guest, ResponseCounts, ResponseType } from '@hither/contract/pings.ts'
import { guestLimits } from '@hither/contract/runtime/guests.ts'
import { pingLimits } from '@hither/contract/runtime/pings.ts'
import { ApiError, isRefusal } from '../../api/api-error.ts'
import { t } from '../../i18n/translate.ts'

/** What a person without account responds. */
export interface GuestAnswer {
  readonly name: string
  readonly response_type: ResponseType
  /** The revision of the ping that the person saw. An answer of an earlier version of the app has none. */
  readonly revision?: number
}

/** The response of a person without account to one ping, as this device stores it. */
export interface StoredGuest {
  readonly token: string
  /** Empty until the server has returned it. */
  readonly name: string
  /** The end of the ping; null until the server has returned it. */
  readonly expires_at: string | null
  /** When the token of a link was stored, by the clock of the server. It bounds the unknown end of the ping. */
  readonly adopted_at?: string
  /** Whether the server is known to have a response with this token. */
  readonly isSent: boolean
  /** The answer that the server has not confirmed. */
  readonly unsent: GuestAnswer | null
  /** Whether the user removed the response while the server was unreachable. The removal is sent later. */
  readonly isWithdrawn: boolean
}

const tokenPattern = /^#guest=([\w-]{43})$/
const pollMs = { waiting: 10_000, approved: 30_000 } as const

/** Returns the guest token of a fragment; null for any other fragment. */
export function tokenOfFragment(hash: string): string | null {
  return tokenPattern.exec(hash)?.[1] ?? null
}

/** For example "4 going, 2 maybe"; null if there is nothing to show. */
export function countsText(counts: ResponseCounts | null): string | null {
  if (counts === null) return null
  const { accepted, tentative } = counts
  const parts = [
    accepted > 0 && t('pings.guest.going', { count: accepted }),
    tentative > 0 && t('pings.guest.maybe', { count: tentative }),
  ]
  return parts.filter(Boolean).join(', ') || null
}

/** How long a page shows a response before it reads it again; false after the end of the ping. */
export function pollAfterMs(guest: Guest | null, hasEnded: boolean): number | false {
  return guest === null || hasEnded ? false : pollMs[guest.state]
}

/** Whether the ping of a response ended 24 hours ago or earlier, by what the device knows. The server has then erased the response. */
export function isOutdated({ expires_at }: Pick<StoredGuest, 'expires_at'>, nowMs: number): boolean {
  return expires_at !== null && Date.parse(expires_at) + guestLimits.retentionMs <= nowMs
}

/**
 * Returns the guests that the server may still have. It has erased a response 24 hours after the end of its ping, but the owner may
 * have moved the start since the device read it. A token of a link whose ping was never read is stored as long as a ping that was
 * known by then may last.
 */
export function withoutErased<G extends StoredGuest>(
  guests: Readonly<Record<string, G>>,
  nowMs: number,
): Record<string, G> {
  return Object.fromEntries(
    Object.entries(guests).filter(([, guest]) => latestEndMs(guest) + guestLimits.retentionMs > nowMs),
  )
}

const horizonMs = pingLimits.scheduleHorizonMs + pingLimits.lifeMaxMinutes * 60_000

function latestEndMs({ expires_at, adopted_at, isSent }: StoredGuest): number {
  if (expires_at !== null) return Date.parse(expires_at) + (isSent ? horizonMs : 0)
  return adopted_at === undefined ? Number.POSITIVE_INFINITY : Date.parse(adopted_at) + horizonMs
}

/** Whether the server no longer has the response: it was removed or moved to an account, or never existed. */
export function isGuestGone(error: unknown): boolean {
  return isRefusal(error, 'guest_not_found')
}

/** Whether the device has a response to show. Otherwise it only stores the token. */
export function hasResponse(guest: StoredGuest | undefined): guest is StoredGuest {
  return guest !== undefined && (guest.isSent || guest.unsent !== null)
}

/** Whether the answer, or its removal, still has to be sent to the server. */
export function isUndelivered({ unsent, isWithdrawn }: StoredGuest): boolean {
  return unsent !== null || isWithdrawn
}

/** Whether the answer, or its removal, is to be sent now. An answer to a ping that has ended is not sent any more. */
export function isDue({ isWithdrawn, unsent, expires_at }: StoredGuest, nowMs: number): boolean {
  return isWithdrawn || (unsent !== null && (expires_at === null || Date.parse(expires_at) > nowMs))
}

/**
 * Returns what the device stores when the server no longer has its response. The token stays until a day after the end of the
 * ping, so that somebody whom the owner has removed is refused. Null if the end of the ping is not known.
 */
export function withoutResponse({ token }: StoredGuest, expires_at: string | null): StoredGuest | null {
  if (expires_at === null) return null
  return { token, name: '', expires_at, isSent: false, unsent: null, isWithdrawn: false }
}

/**
 * Returns what the device stores after the server has refused an answer; null for nothing. The next attempt has the same token:
 * the response may have been stored before an error, and a removed person stays removed. A new response is refused as unknown
 * only if the earlier one with its token was moved to an account.
 */
export function afterRefusal(guest: StoredGuest, error: unknown): StoredGuest | null {
  if (!isGuestGone(error)) return { ...guest, unsent: null }
  return guest.isSent ? withoutResponse(guest, guest.expires_at) : null
}

/** The error text of the field for the name; null for an error of something else. */
export function nameErrorOf(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null
  return error.fieldErrors.find(({ loc }) => loc.at(-1) === 'name')?.msg ?? null
}
