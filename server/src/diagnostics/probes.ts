import { randomUUID } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { type CheckId, diagnosticsLimits } from '@hither/contract/diagnostics.ts'
import { type Config } from '../config.ts'
import { type Geocoder } from '../geo/geocoder.ts'
import { NoAnswer } from '../geo/upstream.ts'
import { databaseFolderOf } from '../platform/built-in-database/database-folder.ts'
import { type Pool } from '../platform/database.ts'
import { inTime } from '../platform/in-time.ts'
import { type Mailer } from '../platform/mail.ts'
import { type Nodes } from '../platform/nodes.ts'
import { type Storage } from '../platform/storage.ts'
import * as queries from './diagnostics.queries.ts'
import * as rules from './verdicts.rules.ts'

export interface ProbeDeps {
  readonly config: Config
  readonly pool: Pool
  readonly nodes: Pick<Nodes, 'ping'>
  readonly storage: Storage
  readonly mailer: Mailer | null
  readonly geocoder: Geocoder | null
  /** The path of the newest backup, or `null`. */
  readonly newestArchive: () => Promise<string | null>
  readonly now: () => Date
}

type Probe = (deps: ProbeDeps) => Promise<rules.Verdict>

/** Each asks one part, which the configuration names and nobody else, and may throw, or never answer. */
export const probes = {
  database: probeDatabase,
  nodes: probeNodes,
  storage: probeStorage,
  mail: probeMail,
  push: probePush,
  geocoder: probeGeocoder,
  disk: probeDisk,
  clock: probeClock,
} satisfies Partial<Record<CheckId, Probe>>

async function probeDatabase({ pool, config, newestArchive }: ProbeDeps): Promise<rules.Verdict> {
  const damagedPages = await queries.countDamagedPages(pool)
  if (damagedPages > 0) {
    const folder = config.databaseUrl === null ? databaseFolderOf(config.dataDir) : null
    return rules.judgeDamage(damagedPages, folder, await newestArchive())
  }
  const tookMs: number[] = []
  for (let time = 0; time < 3; time++) {
    const startedAt = performance.now()
    await pool`select 1`
    tookMs.push(performance.now() - startedAt)
  }
  const kind = config.databaseUrl === null ? 'The database, which is built in,' : 'PostgreSQL'
  // The other checks ask it at the same time, and the first question waits for theirs.
  return rules.judgeDatabase(kind, Math.min(...tookMs))
}

async function probeNodes({ nodes, config }: ProbeDeps): Promise<rules.Verdict> {
  if (config.redisUrl === null) return { state: 'off', text: 'This server is the only one: REDIS_URL is not set.' }
  await nodes.ping()
  return { state: 'ok', text: 'Redis answers, so the nodes hear of one another at once.' }
}

async function probeStorage({ storage, config }: ProbeDeps): Promise<rules.Verdict> {
  const where = config.storage === null ? 'in the folder files of DATA_DIR' : `in the bucket ${config.storage.bucket}`
  const key = `diagnostics-${randomUUID()}`
  const bytes = Buffer.from(key)
  try {
    await storage.put(key, bytes, 'text/plain')
    const kept = await storage.get(key)
    if (kept === null || !(await buffer(kept)).equals(bytes))
      return { state: 'failed', text: `A file that was written ${where} could not be read again.` }
  } finally {
    // Also where nobody waits for the answer any more.
    await storage.delete(key)
  }
  return { state: 'ok', text: `A file was written, read and deleted ${where}.` }
}

async function probeMail({ mailer, pool, config, now }: ProbeDeps): Promise<rules.Verdict> {
  if (mailer === null || config.mail === null)
    return {
      state: 'off',
      text: 'No mail is sent: SMTP_URL is not set. Nobody can reset a password, and addresses are not confirmed.',
    }
  await mailer.verify(diagnosticsLimits.answerWithinMs)
  return rules.judgeMail(new URL(config.mail.smtpUrl).host, await queries.findWaitingMail(pool, now()))
}

async function probePush({ pool, now }: ProbeDeps): Promise<rules.Verdict> {
  const { devices, failing, ...waiting } = await queries.findPushes(pool, now())
  return rules.judgePush(waiting, devices, failing)
}

/** Where a city is, and nobody in particular. */
const somewhere = { latitude: 52.52, longitude: 13.405 } as const

async function probeGeocoder({ geocoder, config, now }: ProbeDeps): Promise<rules.Verdict> {
  if (geocoder === null || config.geocoderUrl === null)
    return { state: 'off', text: 'Nobody is asked for addresses (GEOCODER_URL). Towns are shown in their place.' }
  // Not its whole address: a key may stand there.
  const { host } = new URL(config.geocoderUrl)
  const startedAt = performance.now()
  try {
    await inTime(geocoder.reverse(somewhere.latitude, somewhere.longitude), diagnosticsLimits.answerWithinMs)
    return rules.judgeGeocoder(host, pastOf(geocoder, now()), performance.now() - startedAt)
  } catch (error) {
    const reason = error instanceof NoAnswer ? error.message : rules.reasonOf(error)
    return rules.judgeSilentGeocoder(host, pastOf(geocoder, now()), reason)
  }
}

function pastOf(geocoder: Geocoder, now: Date): rules.GeocoderPast {
  const { restsUntil, lastFailure } = geocoder.health()
  return {
    restsForMs: restsUntil && restsUntil.getTime() - now.getTime(),
    lastFailure: lastFailure && { agoMs: now.getTime() - lastFailure.at.getTime(), reason: lastFailure.reason },
  }
}

async function probeDisk({ config }: ProbeDeps): Promise<rules.Verdict> {
  const { bavail, bsize } = await statfs(config.dataDir)
  return rules.judgeDisk(bavail * bsize)
}

async function probeClock({ pool, now }: ProbeDeps): Promise<rules.Verdict> {
  const askedMs = now().getTime()
  const databaseMs = await queries.findClock(pool)
  return rules.judgeClock(askedMs, databaseMs, now().getTime())
}
