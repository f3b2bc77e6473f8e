import { isIP } from 'node:net'
import { type LanguageTag, locales, sourceLanguage } from '@hither/contract/runtime/locales.ts'
import { type AppLinkSettings, appLinksOf } from './config/app-links.ts'
import { type BackupSettings, backupsOf } from './config/backups.ts'
import {
  bucketOf,
  directionsOf,
  geocoderOf,
  type MailSettings,
  type MapSettings,
  mailOf,
  mapOf,
  type PushSettings,
  pushOf,
  type S3Location,
} from './config/services.ts'
import { renamedSettings } from './config/settings.ts'
import { type OidcSettings, oidcOf, type PasskeySettings, passkeysOf } from './config/sign-in.ts'
import {
  absolute,
  address,
  ConfigError,
  choice,
  listed,
  onOff,
  type ReadSetting,
  trimSlashes,
  wholeNumber,
} from './config/values.ts'

/** Every setting of the server (`config/settings.ts`), read once at start. No other code reads the environment. */
export interface Config {
  readonly port: number
  readonly host: string
  /** Without a trailing slash. */
  readonly publicUrl: string
  /** What the operator calls this server. */
  readonly serverName: string | null
  /** Whether the operator has set the address. */
  readonly hasPublicUrl: boolean
  readonly dataDir: string
  readonly databaseUrl: string | null
  /** `null`: this is the only node. */
  readonly redisUrl: string | null
  /** `null`: created once and stored in `dataDir`. */
  readonly authSecret: string | null
  readonly map: MapSettings
  /** The geocoding service; `null` (the default): the server sends no geocoding requests. */
  readonly geocoderUrl: string | null
  /** The URL template of a directions page, with `{latitude}` and `{longitude}`. */
  readonly directionsUrl: string
  /** The language of pages, mails and notifications for people whose language is not known. */
  readonly defaultLanguage: LanguageTag
  /** `null`: the server cannot send mail. */
  readonly mail: MailSettings | null
  readonly push: PushSettings
  /** Whether a sign-up needs the link of a mail. */
  readonly confirmEmail: boolean
  readonly googleClientId: string | null
  /** The OpenID issuer whose identity tokens are accepted, Google by default. Without a trailing slash. */
  readonly googleIssuer: string
  /** The OpenID Connect provider, which may exist in addition to Google's button; `null`: none. */
  readonly oidc: OidcSettings | null
  /** `null`: `publicUrl` is an address on which browsers allow no passkeys. */
  readonly passkeys: PasskeySettings | null
  readonly rateLimits: boolean
  /** Whether requests are refused while the process is overloaded. */
  readonly shedsLoad: boolean
  readonly logLevel: LogLevel
  /** In Fastify's format: all proxies, none, or a list of addresses. */
  readonly trustProxy: boolean | string
  readonly corsOrigins: readonly string[]
  readonly appLinks: AppLinkSettings
  /** How long after the end of a pin its chat is stored; 0: new chats of pins stay. */
  readonly pingChatKeepDays: number
  /** How long after its end the exact place of a pin is stored. */
  readonly placeKeepHours: number
  readonly pingRetentionDays: number
  /** The object storage for pictures; `null`: the folder `dataDir/files`. */
  readonly storage: S3Location | null
  /** The bytes that the stored pictures of one person may have. */
  readonly storagePerPerson: number
  /** Uploads are refused if less is free on the disk of `dataDir`; `null`: 1 GB or 5 % of it, whichever is less. */
  readonly diskFreeMin: number | null
  readonly backups: BackupSettings
  /** The token that allows reading the metrics from anywhere; `null`: they are available from this machine only. */
  readonly metricsToken: string | null
  /** The file that names the newest release; `null`: the server makes no update check. */
  readonly updateCheckUrl: string | null
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
type LogLevel = (typeof logLevels)[number]

type Environment = Readonly<Record<string, string | undefined>>

const megabytes = 1_000_000

/** Reads all settings. Throws `ConfigError` for the first invalid value. An empty value counts as missing. */
export function readConfig(environment: Environment): Config {
  const value: ReadSetting = (name) => environment[name]?.trim() || null
  assertNoOldNames(environment)
  const port = wholeNumber('PORT', value('PORT'), 3000, 0, 65_535)
  const shared = sharedServicesOf(value)
  const publicUrl = trimSlashes(
    address('PUBLIC_URL', value('PUBLIC_URL'), ['http:', 'https:']) ?? `http://localhost:${port}`,
  )
  const rateLimits = onOff('RATE_LIMITS', value('RATE_LIMITS'), true)
  const mail = mailOf(value('SMTP_URL'), value('MAIL_FROM'), publicUrl)
  const googleIssuer = trimSlashes(
    address('GOOGLE_ISSUER', value('GOOGLE_ISSUER'), ['http:', 'https:']) ?? 'https://accounts.google.com',
  )
  const oidc = oidcOf(value)
  if (value('GOOGLE_CLIENT_ID') !== null && oidc?.issuer === googleIssuer)
    throw new ConfigError('OIDC_ISSUER names Google, as GOOGLE_CLIENT_ID does. Remove one of them.')
  return {
    port,
    host: value('HOST') ?? '127.0.0.1',
    publicUrl,
    serverName: nameOf(value('SERVER_NAME')),
    hasPublicUrl: value('PUBLIC_URL') !== null,
    dataDir: absolute(value('DATA_DIR') ?? 'data'),
    ...shared,
    map: mapOf(value),
    geocoderUrl: geocoderOf(value('GEOCODER_URL')),
    directionsUrl: directionsOf(value('DIRECTIONS_URL')),
    defaultLanguage: choice(
      'DEFAULT_LOCALE',
      value('DEFAULT_LOCALE'),
      locales.map(({ tag }) => tag),
      sourceLanguage,
    ),
    mail,
    push: pushOf(value, publicUrl, mail),
    confirmEmail: confirms(value('CONFIRM_EMAIL'), mail !== null),
    googleClientId: value('GOOGLE_CLIENT_ID'),
    googleIssuer,
    oidc,
    passkeys: passkeysOf(publicUrl),
    rateLimits,
    // Without rate limits a load test is running, whose requests should be slow rather than refused.
    shedsLoad: onOff('LOAD_SHEDDING', value('LOAD_SHEDDING'), rateLimits),
    logLevel: choice('LOG_LEVEL', value('LOG_LEVEL'), logLevels, 'info'),
    trustProxy: proxyTrust(value('TRUST_PROXY')),
    corsOrigins: listed(value('CORS_ORIGINS')).map(origin),
    appLinks: appLinksOf(value),
    pingChatKeepDays: wholeNumber('PING_CHAT_KEEP_DAYS', value('PING_CHAT_KEEP_DAYS'), 7, 0, 365),
    placeKeepHours: wholeNumber('PLACE_KEEP_HOURS', value('PLACE_KEEP_HOURS'), 24, 0, 720),
    pingRetentionDays: wholeNumber('PING_RETENTION_DAYS', value('PING_RETENTION_DAYS'), 7, 1, 3650),
    storage: bucketOf(value('STORAGE_URL')),
    storagePerPerson:
      megabytes * wholeNumber('STORAGE_PER_PERSON_MB', value('STORAGE_PER_PERSON_MB'), 1000, 1, 1_000_000),
    diskFreeMin:
      value('DISK_FREE_MIN_MB') === null
        ? null
        : megabytes * wholeNumber('DISK_FREE_MIN_MB', value('DISK_FREE_MIN_MB'), 0, 0, 1_000_000),
    backups: backupsOf(value, shared.databaseUrl),
    metricsToken: tokenOf(value('METRICS_TOKEN')),
    updateCheckUrl: updateFileOf(value('UPDATE_CHECK_URL')),
  }
}

function assertNoOldNames(environment: Environment): void {
  for (const [oldName, newName] of renamedSettings)
    if (environment[oldName]?.trim())
      throw new ConfigError(`${oldName} is now called ${newName}. Set ${newName} instead and remove ${oldName}.`)
}

/** The services that all nodes use, and the secret by which they accept the same sign-ins. */
function sharedServicesOf(value: ReadSetting): Pick<Config, 'databaseUrl' | 'redisUrl' | 'authSecret'> {
  const databaseUrl = address('DATABASE_URL', value('DATABASE_URL'), ['postgres:', 'postgresql:'])
  const redisUrl = address('REDIS_URL', value('REDIS_URL'), ['redis:', 'rediss:'])
  if (redisUrl !== null && databaseUrl === null)
    throw new ConfigError('REDIS_URL must be set together with DATABASE_URL, the database that its nodes share.')
  const authSecret = value('AUTH_SECRET')
  if (authSecret !== null && authSecret.length < 32)
    throw new ConfigError('AUTH_SECRET must be at least 32 characters long.')
  if (databaseUrl !== null && authSecret === null) {
    throw new ConfigError('AUTH_SECRET is required with DATABASE_URL, so that all nodes accept the same sign-ins.')
  }
  return { databaseUrl, redisUrl, authSecret }
}

function nameOf(text: string | null): string | null {
  // Control characters, ends of lines, and characters that change the direction of the text around them.
  if (text === null || ([...text].length <= 40 && !/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(text))) return text
  throw new ConfigError(
    'SERVER_NAME must be one line of at most 40 characters, without characters that control the direction of text.',
  )
}

function updateFileOf(text: string | null): string | null {
  const url = address('UPDATE_CHECK_URL', text, ['https:'])
  if (url === null || !/[?#@]/.test(url)) return url
  throw new ConfigError('UPDATE_CHECK_URL must be an address without user, query and fragment.')
}

function tokenOf(text: string | null): string | null {
  if (text === null || /^[\x21-\x7e]{16,}$/.test(text)) return text
  throw new ConfigError('METRICS_TOKEN must be at least 16 characters long, without spaces.')
}

function confirms(text: string | null, canSendMail: boolean): boolean {
  const word = choice('CONFIRM_EMAIL', text, ['auto', 'on', 'off'], 'auto')
  if (word === 'on' && !canSendMail)
    throw new ConfigError('CONFIRM_EMAIL must be auto or off as long as SMTP_URL names no mail server.')
  return word === 'auto' ? canSendMail : word === 'on'
}

function origin(text: string): string {
  // The origin of the mobile shell has a custom scheme, for which `URL` returns the origin 'null'.
  if (text === 'capacitor://localhost') return text
  if (URL.canParse(text) && new URL(text).origin === text) return text
  throw new ConfigError('CORS_ORIGINS must be origins such as https://app.example.org, separated by commas.')
}

function proxyTrust(text: string | null): boolean | string {
  if (text === null || text === 'off') return false
  if (text === 'on') return true
  const named = ['loopback', 'linklocal', 'uniquelocal']
  if (text.split(',').every((entry) => named.includes(entry.trim()) || isNetwork(entry.trim()))) return text
  throw new ConfigError('TRUST_PROXY must be on, off, or addresses of proxies separated by commas.')
}

/** Returns whether the text is an IP address or a range such as 10.0.0.0/8. */
function isNetwork(text: string): boolean {
  const [ip = '', bits, ...rest] = text.split('/')
  const most = isIP(ip) === 6 ? 128 : 32
  return isIP(ip) !== 0 && rest.length === 0 && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= most))
}
