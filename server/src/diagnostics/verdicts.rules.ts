import { type Check, type CheckId, diagnosticsLimits } from '@hither/contract/diagnostics.ts'
import { damagedSentence } from '../platform/built-in-database/database-folder.ts'
import { NotInTime } from '../platform/in-time.ts'

export type Verdict = Pick<Check, 'state' | 'text'>

const thresholds = {
  slowDatabaseMs: 250,
  waitsSeconds: 5 * 60,
  diskLow: 2e9,
  diskFull: 256e6,
  clockMs: 2000,
} as const

export function judgeDatabase(kind: string, tookMs: number): Verdict {
  const text = `${kind} answers in ${Math.max(1, Math.round(tookMs))} ms.`
  if (tookMs < thresholds.slowDatabaseMs) return { state: 'ok', text }
  return { state: 'warning', text: `${text} That is slow: look at the load of its machine and the way there.` }
}

/** `folder` is that of the built-in database, `null` for a server that somebody else runs. */
export function judgeDamage(pages: number, folder: string | null, archive: string | null): Verdict {
  const reason = pages === 1 ? 'a page does not match its checksum' : `${pages} pages do not match their checksums`
  const text =
    folder === null
      ? `PostgreSQL reports damaged data (${reason}). Restore a backup of it.`
      : damagedSentence(folder, reason, archive)
  return { state: 'failed', text }
}

export interface Waiting {
  readonly count: number
  /** Of the first of them. */
  readonly seconds: number
}

export function judgeMail(host: string, { count, seconds }: Waiting): Verdict {
  const text = `${host} lets this server in.`
  if (seconds < thresholds.waitsSeconds) return { state: 'ok', text }
  const waiting = `${counted(count, 'mail waits', 'mails wait')}, the first for ${ageOf(seconds)}`
  return { state: 'warning', text: `${text} But ${waiting}: the log says why, at "a mail was not taken".` }
}

export function judgePush({ count, seconds }: Waiting, devices: number, failing: number): Verdict {
  const waiting = count === 0 ? '' : `${counted(count, 'waits', 'wait')}, the first for ${ageOf(seconds)}. `
  const takers = devices === 0 ? 'no device takes' : counted(devices, 'device takes', 'devices take')
  const text = `The keys are there, and ${takers} notifications. ${waiting}`.trim()
  const isLate = seconds >= thresholds.waitsSeconds
  if (failing === 0 && !isLate) return { state: 'ok', text }
  const unreached = failing === 0 ? '' : `${counted(failing, 'device is', 'devices are')} out of reach. `
  return {
    state: 'warning',
    text: `${text} ${unreached}This server has to reach the push services: the log says more, at "a push was not taken".`,
  }
}

export interface GeocoderPast {
  readonly restsForMs: number | null
  readonly lastFailure: { readonly agoMs: number; readonly reason: string } | null
}

export function judgeGeocoder(host: string, { lastFailure }: GeocoderPast, tookMs: number): Verdict {
  const text = `${host} answers in ${Math.round(tookMs)} ms.`
  if (lastFailure === null) return { state: 'ok', text }
  return { state: 'ok', text: `${text} It last failed ${ageOf(lastFailure.agoMs / 1000)} ago (${lastFailure.reason}).` }
}

export function judgeSilentGeocoder(host: string, { lastFailure, restsForMs }: GeocoderPast, reason: string): Verdict {
  const why = restsForMs === null || lastFailure === null ? reason : lastFailure.reason
  const rest =
    restsForMs === null ? '' : ` After several failures it is left alone for another ${ageOf(restsForMs / 1000)}.`
  return {
    state: 'failed',
    text: `${host} gives no answer (${why}). Towns are shown in place of addresses meanwhile.${rest} If it stays so, name another one in GEOCODER_URL.`,
  }
}

export function judgeDisk(freeBytes: number): Verdict {
  const text = `${sizeOf(freeBytes)} free where DATA_DIR is.`
  if (freeBytes >= thresholds.diskLow) return { state: 'ok', text }
  const advice = 'Make room: what finds none is not kept.'
  return { state: freeBytes < thresholds.diskFull ? 'failed' : 'warning', text: `${text} ${advice}` }
}

/** The database was asked between `askedMs` and `answeredMs` of this server's clock, and its own said `databaseMs` then. */
export function judgeClock(askedMs: number, databaseMs: number, answeredMs: number): Verdict {
  const aheadMs = databaseMs < askedMs ? askedMs - databaseMs : Math.min(0, answeredMs - databaseMs)
  if (Math.abs(aheadMs) < thresholds.clockMs)
    return { state: 'ok', text: 'The clocks of this server and of the database agree.' }
  const apart = `${ageOf(Math.abs(aheadMs) / 1000)} ${aheadMs > 0 ? 'ahead of' : 'behind'}`
  return {
    state: 'failed',
    text: `This server's clock is ${apart} that of the database. Pings and sign-ins end at the wrong time. Have both keep time by NTP (timedatectl set-ntp true).`,
  }
}

export const failures: Readonly<Record<CheckId, (reason: string) => string>> = {
  public_address: (reason) => `It could not be looked at (${reason}).`,
  proxy: (reason) => `It could not be looked at (${reason}).`,
  database: (reason) => `It gives no answer (${reason}). Is it running, and does DATABASE_URL lead to it?`,
  nodes: (reason) => `Redis gives no answer (${reason}), so nodes hear of one another late. Is it running?`,
  storage: (reason) => `A file could not be written, read and deleted (${reason}). Pictures fail until that is mended.`,
  mail: (reason) =>
    `The mail server does not let this server in (${reason}). Look at SMTP_URL: host, port, name and password. What is to go is kept for a day.`,
  push: (reason) => `What waits could not be counted (${reason}).`,
  geocoder: (reason) => `It gives no answer (${reason}).`,
  disk: (reason) => `The folder of DATA_DIR cannot be looked at (${reason}). Does it exist, and belong to this server?`,
  clock: (reason) => `The database does not tell the time (${reason}).`,
}

/** Never the message, which may hold an address, a name or a password: what is known of its code. */
export function reasonOf(error: unknown): string {
  if (error instanceof NotInTime) return late
  const codes = codesOf(error)
  const known = codes.find((code) => code in reasons)
  if (known !== undefined) return reasons[known] === late ? late : `${reasons[known]}, ${known}`
  return codes[0] ?? 'for a reason that nobody knows'
}

const late = `no answer within ${diagnosticsLimits.answerWithinMs / 1000} seconds`

const reasons: Readonly<Record<string, string>> = {
  ETIMEDOUT: late,
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the name service does not answer',
  EDNS: 'no such host',
  EHOSTUNREACH: 'no way there',
  ENETUNREACH: 'no way there',
  EAUTH: 'wrong name or password',
  ETLS: 'no TLS between them',
  EACCES: 'not allowed',
  EPERM: 'not allowed',
  EROFS: 'nothing can be written there',
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

/** The innermost first. */
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
