import { randomUUID } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import type { CheckId } from '@hither/contract/diagnostics.ts'
import { diagnosticsLimits } from '@hither/contract/runtime/diagnostics.ts'
import type { OidcProvider } from '../auth/oidc/provider.ts'
import { ProviderFault } from '../auth/provider-http.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { oidcRedirectUrl } from '../config/sign-in.ts'
import type { Config } from '../config.ts'
import type { Geocoder } from '../geo/geocoder.ts'
import { NoAnswer } from '../geo/upstream.ts'
import { withTimeout } from '../platform/async/with-timeout.ts'
import { databaseFolderOf } from '../platform/db/built-in-database/database-folder.ts'
import type { Pool } from '../platform/db/database.ts'
import { isDamage } from '../platform/errors/dependency-errors.ts'
import type { Mailer } from '../platform/mail/mailer.ts'
import type { Storage } from '../platform/media/storage.ts'
import * as queries from './diagnostics.queries.ts'
import * as rules from './verdicts.rules.ts'

export interface ProbeDeps {
  readonly config: Config
  readonly pool: Pool
  readonly cluster: Pick<Cluster, 'ping'>
  readonly storage: Storage
  readonly mailer: Mailer | null
  readonly geocoder: Geocoder | null
  readonly oidc: OidcProvider | null
  /** The path of the newest backup, or `null`. */
  readonly newestArchive: () => Promise<string | null>
  readonly now: () => Date
}

type Probe = (deps: ProbeDeps) => Promise<rules.Verdict>

/** The checks. Each queries one configured service, and may throw or never settle. */
export const probes = {
  database: probeDatabase,
  nodes: probeNodes,
  storage: probeStorage,
  mail: probeMail,
  sign_in_provider: probeSignInProvider,
  passkeys: probePasskeys,
  push: probePush,
  geocoder: probeGeocoder,
  disk: probeDisk,
  clock: probeClock,
} satisfies Partial<Record<CheckId, Probe>>

async function probeDatabase({ pool, config, newestArchive }: ProbeDeps): Promise<rules.Verdict> {
  const pages = await queries.countDamagedPages(pool).catch((error: unknown) => {
    if (isDamage(error)) return 0
    throw error
  })
  const code = pool.damage()
  if (pages > 0 || code !== null) {
    const folder = config.databaseUrl === null ? databaseFolderOf(config.dataDir) : null
    return rules.judgeDamage({ pages, code }, folder, await newestArchive())
  }
  const tookMs: number[] = []
  for (let time = 0; time < 3; time++) {
    const startedAt = performance.now()
    await pool`select 1`
    tookMs.push(performance.now() - startedAt)
  }
  const kind = config.databaseUrl === null ? 'The database, which is built in,' : 'PostgreSQL'
  // The other checks use the database at the same time, so the first query waits for them.
  return rules.judgeDatabase(kind, Math.min(...tookMs))
}

async function probeNodes({ cluster, config }: ProbeDeps): Promise<rules.Verdict> {
  if (config.redisUrl === null) return { state: 'off', text: 'This is the only node: REDIS_URL is not set.' }
  await cluster.ping()
  return { state: 'ok', text: "Redis responds, so nodes receive each other's changes at once." }
}

async function probeStorage({ storage, config }: ProbeDeps): Promise<rules.Verdict> {
  const where = config.storage === null ? 'in the folder files of DATA_DIR' : `in the bucket ${config.storage.bucket}`
  const key = `diagnostics-${randomUUID()}`
  const bytes = Buffer.from(key)
  try {
    await storage.put(key, bytes, 'text/plain')
    const stored = await storage.get(key)
    if (stored === null || !(await buffer(stored)).equals(bytes))
      return { state: 'failed', text: `A test file was written ${where} but couldn't be read.` }
  } finally {
    // Also runs after the timeout of the check.
    await storage.delete(key)
  }
  return { state: 'ok', text: `A test file was written, read and deleted ${where}.` }
}

async function probeMail({ mailer, pool, config, now }: ProbeDeps): Promise<rules.Verdict> {
  if (mailer === null || config.mail === null)
    return {
      state: 'off',
      text: "Email can't be sent: SMTP_URL is not set. Nobody can reset a password, and addresses aren't confirmed.",
    }
  await mailer.verify(diagnosticsLimits.answerWithinMs)
  return rules.judgeMail(new URL(config.mail.smtpUrl).host, await queries.findWaitingMail(pool, now()))
}

async function probePush({ pool, now }: ProbeDeps): Promise<rules.Verdict> {
  const { devices, failing, ...waiting } = await queries.findPushes(pool, now())
  return rules.judgePush(waiting, devices, failing)
}

/** A fixed place in a city, unrelated to any user. */
const somewhere = { latitude: 52.52, longitude: 13.405 } as const

async function probeGeocoder({ geocoder, config, now }: ProbeDeps): Promise<rules.Verdict> {
  if (geocoder === null || config.geocoderUrl === null)
    return { state: 'off', text: 'No address service is set (GEOCODER_URL). Towns are shown instead of addresses.' }
  // Not the whole address, because it may contain a key.
  const { host } = new URL(config.geocoderUrl)
  const startedAt = performance.now()
  try {
    await withTimeout(geocoder.reverse(somewhere.latitude, somewhere.longitude), diagnosticsLimits.answerWithinMs)
    return rules.judgeGeocoder(host, pastOf(geocoder, now()), performance.now() - startedAt)
  } catch (error) {
    const reason = error instanceof NoAnswer ? error.message : rules.reasonOf(error)
    return rules.judgeFailedGeocoder(host, pastOf(geocoder, now()), reason)
  }
}

function pastOf(geocoder: Geocoder, now: Date): rules.GeocoderHistory {
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

async function probeSignInProvider({ oidc, config, now }: ProbeDeps): Promise<rules.Verdict> {
  if (oidc === null) return { state: 'off', text: 'People sign in without a provider: OIDC_ISSUER is not set.' }
  const redirect = `Its redirect address is ${oidcRedirectUrl(config.publicUrl)}.`
  const { host } = new URL(oidc.settings.issuer)
  try {
    await oidc.check()
  } catch (error) {
    const reason = error instanceof ProviderFault ? error.message : rules.reasonOf(error)
    return { state: 'failed', text: `${host} can't be used for sign-in: ${reason}. ${redirect}` }
  }
  return rules.judgeSignInProvider(`${host} responds. ${redirect}`, oidc.lastRefusal(), now())
}

async function probePasskeys({ config }: ProbeDeps): Promise<rules.Verdict> {
  if (config.passkeys === null) return { state: 'off', text: 'Passkeys need https and a domain name in PUBLIC_URL.' }
  return { state: 'ok', text: `People can create passkeys for ${config.passkeys.rpId}.` }
}
