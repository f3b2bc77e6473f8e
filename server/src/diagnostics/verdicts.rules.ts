import type { Check, CheckId } from '@hither/contract/diagnostics.ts'
import { diagnosticsLimits } from '@hither/contract/runtime/diagnostics.ts'
import { TimeoutExceeded } from '../platform/async/with-timeout.ts'
import { damagedSentence } from '../platform/db/built-in-database/database-folder.ts'

export type Verdict = Pick<Check, 'state' | 'text'>

const thresholds = {
  slowDatabaseMs: 250,
  waitsSeconds: 5 * 60,
  diskLow: 2e9,
  diskFull: 256e6,
  clockMs: 2000,
} as const

export function judgeDatabase(kind: string, tookMs: number): Verdict {
  const text = `${kind} responds in ${Math.max(1, Math.round(tookMs))} ms.`
  if (tookMs < thresholds.slowDatabaseMs) return { state: 'ok', text }
  return { state: 'warning', text: `${text} That is slow: check the load of its machine and the network.` }
}

/** What PostgreSQL has reported: how often a page did not match its checksum, and the code of its last error of class XX. */
interface Damage {
  readonly pages: number
  readonly code: string | null
}

/** `folder` is that of the built-in database, `null` for an external database. */
export function judgeDamage({ pages, code }: Damage, folder: string | null, archive: string | null): Verdict {
  const reason =
    pages === 0
      ? `PostgreSQL reported the error ${code}`
      : `a page did not match its checksum ${pages === 1 ? 'once' : `${pages} times`}`
  const text =
    folder === null
      ? `PostgreSQL reports damaged data (${reason}). Restore a backup of it.`
      : damagedSentence(folder, reason, archive)
  return { state: 'failed', text }
}

export interface Waiting {
  readonly count: number
  /** How many seconds the first of them has been due. */
  readonly seconds: number
}

export function judgeMail(host: string, { count, seconds }: Waiting): Verdict {
  const text = `${host} accepts this server.`
  if (seconds < thresholds.waitsSeconds) return { state: 'ok', text }
  const waiting = `${counted(count, 'email is', 'emails are')} waiting, the oldest for ${ageOf(seconds)}`
  return {
    state: 'warning',
    text: `${text} But ${waiting}. For the reason, search the log for "mail delivery failed".`,
  }
}

export function judgePush({ count, seconds }: Waiting, devices: number, failing: number): Verdict {
  const waiting =
    count === 0
      ? ''
      : `${counted(count, 'notification is', 'notifications are')} waiting, the oldest for ${ageOf(seconds)}. `
  const takers = devices === 0 ? 'no device receives' : counted(devices, 'device receives', 'devices receive')
  const text = `The keys are set, and ${takers} notifications. ${waiting}`.trim()
  const isLate = seconds >= thresholds.waitsSeconds
  if (failing === 0 && !isLate) return { state: 'ok', text }
  const unreached = failing === 0 ? '' : `${counted(failing, 'device is', 'devices are')} unreachable. `
  return {
    state: 'warning',
    text: `${text} ${unreached}This server must be able to reach the push services. For details, search the log for "push delivery failed".`,
  }
}

export interface GeocoderHistory {
  readonly restsForMs: number | null
  readonly lastFailure: { readonly agoMs: number; readonly reason: string } | null
}

export function judgeGeocoder(host: string, { lastFailure }: GeocoderHistory, tookMs: number): Verdict {
  const text = `${host} responds in ${Math.round(tookMs)} ms.`
  if (lastFailure === null) return { state: 'ok', text }
  return { state: 'ok', text: `${text} It last failed ${ageOf(lastFailure.agoMs / 1000)} ago (${lastFailure.reason}).` }
}

export function judgeFailedGeocoder(
  host: string,
  { lastFailure, restsForMs }: GeocoderHistory,
  reason: string,
): Verdict {
  const why = restsForMs === null || lastFailure === null ? reason : lastFailure.reason
  const rest =
    restsForMs === null ? '' : ` After several failures, it is paused for another ${ageOf(restsForMs / 1000)}.`
  return {
    state: 'failed',
    text: `${host} doesn't respond (${why}). Towns are shown instead of addresses.${rest} If this continues, set another service in GEOCODER_URL.`,
  }
}

/** `refused` is the last answer of the provider that this node did not accept. */
export function judgeSignInProvider(text: string, refused: { at: Date; reason: string } | null, now: Date): Verdict {
  if (refused === null) return { state: 'ok', text }
  const age = ageOf((now.getTime() - refused.at.getTime()) / 1000)
  return { state: 'warning', text: `${text} Its last answer that was refused came ${age} ago: ${refused.reason}.` }
}

export function judgeDisk(freeBytes: number): Verdict {
  const text = `${sizeOf(freeBytes)} free on the disk of DATA_DIR.`
  if (freeBytes >= thresholds.diskLow) return { state: 'ok', text }
  const advice = 'Free some space: data that does not fit is not stored.'
  return { state: freeBytes < thresholds.diskFull ? 'failed' : 'warning', text: `${text} ${advice}` }
}

/**
 * `askedMs` and `answeredMs` are this server's clock before and after the query; `databaseMs` is what the database
 * returned.
 */
export function judgeClock(askedMs: number, databaseMs: number, answeredMs: number): Verdict {
  const aheadMs = databaseMs < askedMs ? askedMs - databaseMs : Math.min(0, answeredMs - databaseMs)
  if (Math.abs(aheadMs) < thresholds.clockMs)
    return { state: 'ok', text: 'The clocks of this server and of the database match.' }
  const apart = `${ageOf(Math.abs(aheadMs) / 1000)} ${aheadMs > 0 ? 'ahead of' : 'behind'}`
  return {
    state: 'failed',
    text: `This server's clock is ${apart} the database's clock. Pings and sessions end at the wrong time. Synchronize both with NTP (timedatectl set-ntp true).`,
  }
}

export const failures: Readonly<Record<CheckId, (reason: string) => string>> = {
  public_address: (reason) => `The check failed (${reason}).`,
  proxy: (reason) => `The check failed (${reason}).`,
  database: (reason) => `It doesn't respond (${reason}). Is it running, and is DATABASE_URL correct?`,
  nodes: (reason) => `Redis doesn't respond (${reason}), so nodes receive each other's changes late. Is it running?`,
  storage: (reason) =>
    `A test file couldn't be written, read and deleted (${reason}). Pictures fail until this is fixed.`,
  mail: (reason) =>
    `The mail server doesn't accept this server (${reason}). Check SMTP_URL: host, port, name and password. Emails are retried for a day.`,
  sign_in_provider: (reason) => `The sign-in provider couldn't be checked (${reason}). Check OIDC_ISSUER.`,
  passkeys: (reason) => `The check failed (${reason}).`,
  push: (reason) => `The waiting notifications couldn't be counted (${reason}).`,
  geocoder: (reason) => `It doesn't respond (${reason}).`,
  disk: (reason) => `The folder DATA_DIR can't be read (${reason}). Does it exist, and does this server own it?`,
  clock: (reason) => `The database's clock couldn't be read (${reason}).`,
}

/** Describes an error by its code, never by its message, which may contain an address, a name or a password. */
export function reasonOf(error: unknown): string {
  if (error instanceof TimeoutExceeded) return timedOut
  const codes = codesOf(error)
  const known = codes.find((code) => code in reasons)
  if (known !== undefined) return reasons[known] === timedOut ? timedOut : `${reasons[known]}, ${known}`
  return codes[0] ?? 'unknown reason'
}

const timedOut = `no answer within ${diagnosticsLimits.answerWithinMs / 1000} seconds`

const reasons: Readonly<Record<string, string>> = {
  ETIMEDOUT: timedOut,
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was cut',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: "the name service doesn't respond",
  EDNS: 'no such host',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the host',
  EAUTH: 'wrong name or password',
  ETLS: 'no TLS connection',
  EACCES: 'not allowed',
  EPERM: 'not allowed',
  EROFS: 'read-only',
  ENOSPC: 'no space left',
  EDQUOT: 'no space left',
  ENOENT: 'no such folder',
  ENOTDIR: 'a file where a folder should be',
  EEXIST: 'a file where a folder should be',
  NoSuchBucket: 'no such bucket',
  AccessDenied: 'not allowed',
  InvalidAccessKeyId: 'wrong key',
  SignatureDoesNotMatch: 'wrong secret',
}

/** Returns the innermost cause first. */
function codesOf(error: unknown, depth = 0): string[] {
  if (typeof error !== 'object' || error === null || depth > 8) return []
  const { code, name, cause, errors } = error as { code?: unknown; name?: unknown; cause?: unknown; errors?: unknown }
  const inner = [cause, ...(Array.isArray(errors) ? errors : [])].flatMap((one) => codesOf(one, depth + 1))
  const own = [code, name].filter(
    (word): word is string => typeof word === 'string' && /^[A-Z]\w{2,40}$/.test(word) && !word.endsWith('Error'),
  )
  return [...inner, ...own]
}

function counted(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`
}

export function ageOf(seconds: number): string {
  if (seconds < 90) return counted(Math.round(seconds), 'second', 'seconds')
  const minutes = Math.round(seconds / 60)
  if (minutes < 90) return counted(minutes, 'minute', 'minutes')
  const hours = Math.round(minutes / 60)
  return hours < 48 ? counted(hours, 'hour', 'hours') : counted(Math.round(hours / 24), 'day', 'days')
}

function sizeOf(bytes: number): string {
  return bytes < 1e9 ? `${Math.floor(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
}
