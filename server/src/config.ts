import { createECDH } from 'node:crypto'
import { isIP } from 'node:net'
import { isAbsolute, join, resolve } from 'node:path'
import { type MapSettings } from './maps/map-sources.ts'
import { StartError } from './platform/start-error.ts'

/** Every setting of the server, read once at start. Nothing else reads the environment. */
export interface Config {
  readonly port: number
  readonly host: string
  /** Without a trailing slash. */
  readonly publicUrl: string
  readonly dataDir: string
  readonly databaseUrl: string | null
  /** `null`: this is the only node. */
  readonly redisUrl: string | null
  /** `null`: made once and kept in `dataDir`. */
  readonly authSecret: string | null
  readonly map: MapSettings
  /** The service that looks up addresses; `null` (the default): none, and nothing outside this server is asked. */
  readonly geocoderUrl: string | null
  /** A page that shows the way, with `{latitude}` and `{longitude}` to fill in. */
  readonly directionsUrl: string
  /** `null`: no mail can be sent. */
  readonly mail: { readonly smtpUrl: string; readonly from: string } | null
  readonly push: PushSettings
  /** Whether signing up asks for the link of a mail. */
  readonly confirmEmail: boolean
  readonly googleClientId: string | null
  /** Whose identity tokens are accepted; without a trailing slash. */
  readonly identityIssuer: string
  readonly rateLimits: boolean
  /** Whether calls are turned away while the process cannot keep up. */
  readonly shedsLoad: boolean
  readonly logLevel: LogLevel
  /** As Fastify takes it: everyone, nobody, or addresses. */
  readonly trustProxy: boolean | string
  readonly corsOrigins: readonly string[]
  readonly appLinks: AppLinkSettings
  readonly pingRetentionDays: number
  /** Where pictures are kept; `null`: in `dataDir/files`. */
  readonly storage: S3Location | null
  readonly backups: BackupSettings
  /** Who shows it may read the metrics from anywhere; `null`: they are read from this machine only. */
  readonly metricsToken: string | null
}

/**
 * A bucket of an S3-compatible store, from `STORAGE_URL`: `s3://KEY:SECRET@host:port/bucket?region=eu-central-1&ssl=off`.
 * Key and secret are percent-encoded; `region` is us-east-1 and `ssl` on unless told.
 */
export interface S3Location {
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export interface PushSettings {
  /** By which push services know this server; `null`: made once and kept in the database. */
  readonly keys: { readonly publicKey: string; readonly privateKey: string } | null
  /** Whom a push service may turn to. */
  readonly subject: string
  /** Origins of push services that are taken though they are not on the open internet, or speak no https. */
  readonly hosts: readonly string[]
}

export interface BackupSettings {
  /** Whether one is made every night, and one before each migration of the built-in database. */
  readonly isOn: boolean
  readonly folder: string
  /** After which those that were made by themselves are deleted. */
  readonly keepDays: number
}

/** Which packaged apps may open this server's links. */
export interface AppLinkSettings {
  readonly android: { readonly packageName: string; readonly fingerprints: readonly string[] } | null
  readonly appleAppIds: readonly string[]
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
type LogLevel = (typeof logLevels)[number]

/** A wrong setting: the sentence names it, and the server does not start. */
export class ConfigError extends StartError {
  override name = 'ConfigError'
}

type Environment = Readonly<Record<string, string | undefined>>

/** Throws `ConfigError` for the first wrong value. An empty value counts as none. */
export function readConfig(environment: Environment): Config {
  const value = (name: string) => environment[name]?.trim() || null
  const port = wholeNumber('PORT', value('PORT'), 3000, 0, 65_535)
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
  const publicUrl = trimSlashes(
    address('PUBLIC_URL', value('PUBLIC_URL'), ['http:', 'https:']) ?? `http://localhost:${port}`,
  )
  const map = mapOf(value)
  const rateLimits = onOff('RATE_LIMITS', value('RATE_LIMITS'), true)
  const mail = mailOf(value('SMTP_URL'), value('MAIL_FROM'), publicUrl)
  const push = {
    keys: vapidOf(value('VAPID_PUBLIC_KEY'), value('VAPID_PRIVATE_KEY')),
    subject: pushSubjectOf(publicUrl, mail),
    hosts: listed(value('PUSH_HOSTS')).map((text) => webOrigin('PUSH_HOSTS', text)),
  }
  return {
    port,
    host: value('HOST') ?? '127.0.0.1',
    publicUrl,
    dataDir: absolute(value('DATA_DIR') ?? 'data'),
    databaseUrl,
    redisUrl,
    authSecret,
    map,
    geocoderUrl: geocoderOf(value('GEOCODER_URL')),
    directionsUrl: directionsOf(value('DIRECTIONS_URL')),
    mail,
    push,
    confirmEmail: confirms(value('CONFIRM_EMAIL'), mail !== null),
    googleClientId: value('GOOGLE_CLIENT_ID'),
    identityIssuer: trimSlashes(
      address('IDENTITY_ISSUER', value('IDENTITY_ISSUER'), ['http:', 'https:']) ?? 'https://accounts.google.com',
    ),
    rateLimits,
    // Where nothing is counted, trials are running, and those are to be late rather than refused.
    shedsLoad: onOff('LOAD_SHEDDING', value('LOAD_SHEDDING'), rateLimits),
    logLevel: choice('LOG_LEVEL', value('LOG_LEVEL'), logLevels, 'info'),
    trustProxy: proxyTrust(value('TRUST_PROXY')),
    corsOrigins: listed(value('CORS_ORIGINS')).map(origin),
    appLinks: appLinksOf(value),
    pingRetentionDays: wholeNumber('PING_RETENTION_DAYS', value('PING_RETENTION_DAYS'), 30, 1, 3650),
    storage: bucketOf(value('STORAGE_URL')),
    backups: {
      // Whoever runs a database server has a way of their own to keep it safe.
      isOn: onOff('BACKUPS', value('BACKUPS'), databaseUrl === null),
      folder: absolute(value('BACKUP_DIR') ?? join(value('DATA_DIR') ?? 'data', 'backups')),
      keepDays: wholeNumber('BACKUP_KEEP_DAYS', value('BACKUP_KEEP_DAYS'), 14, 1, 3650),
    },
    metricsToken: tokenOf(value('METRICS_TOKEN')),
  }
}

function tokenOf(text: string | null): string | null {
  if (text === null || /^[\x21-\x7e]{16,}$/.test(text)) return text
  throw new ConfigError('METRICS_TOKEN must be at least 16 characters long, without spaces.')
}

function mapOf(value: (name: string) => string | null): MapSettings {
  const styleUrl = address('MAP_STYLE_URL', value('MAP_STYLE_URL'), ['http:', 'https:'])
  const satelliteUrl = address('MAP_SATELLITE_URL', value('MAP_SATELLITE_URL'), ['http:', 'https:'])
  const key = value('MAP_KEY')
  if (key !== null && styleUrl === null && satelliteUrl === null)
    throw new ConfigError(
      'MAP_KEY needs MAP_STYLE_URL or MAP_SATELLITE_URL, the address of the service whose key it is.',
    )
  return {
    styleUrl,
    satelliteUrl,
    key,
    online: onOff('MAP_ONLINE', value('MAP_ONLINE'), true),
    hosts: listed(value('MAP_HOSTS')).map((text) => webOrigin('MAP_HOSTS', text)),
  }
}

/** Off unless the operator names one: the places of pins must not go to a third party by default. */
function geocoderOf(text: string | null): string | null {
  return text === 'off' ? null : address('GEOCODER_URL', text, ['http:', 'https:'])
}

function directionsOf(text: string | null): string {
  const url = address('DIRECTIONS_URL', text, ['http:', 'https:']) ?? googleDirections
  if (url.includes('{latitude}') && url.includes('{longitude}')) return url
  throw new ConfigError('DIRECTIONS_URL must be an address with {latitude} and {longitude} in it, to be filled in.')
}

const googleDirections = 'https://www.google.com/maps/dir/?api=1&destination={latitude},{longitude}'

function listed(text: string | null): string[] {
  return (text ?? '').split(',').flatMap((entry) => (entry.trim() ? [entry.trim()] : []))
}

function webOrigin(name: string, text: string): string {
  if (URL.canParse(text) && new URL(text).origin === text && /^https?:/.test(text)) return text
  throw new ConfigError(`${name} must be origins such as https://tiles.example.org, separated by commas.`)
}

function mailOf(smtpUrl: string | null, from: string | null, publicUrl: string): Config['mail'] {
  const url = address('SMTP_URL', smtpUrl, ['smtp:', 'smtps:'])
  const sender = from ?? `Hither <no-reply@${new URL(publicUrl).hostname}>`
  if (!/^(?:[^<>\r\n]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(sender))
    throw new ConfigError('MAIL_FROM must be an address such as Hither <no-reply@example.org>.')
  return url === null ? null : { smtpUrl: url, from: sender }
}

function vapidOf(publicKey: string | null, privateKey: string | null): PushSettings['keys'] {
  if (publicKey === null && privateKey === null) return null
  if (publicKey === null || privateKey === null)
    throw new ConfigError('VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY must be set together.')
  if (publicKeyOf(privateKey) === publicKey) return { publicKey, privateKey }
  throw new ConfigError(
    'VAPID_PUBLIC_KEY must be the public key of VAPID_PRIVATE_KEY, both as `npx web-push generate-vapid-keys` writes them.',
  )
}

function publicKeyOf(privateKey: string): string | null {
  const curve = createECDH('prime256v1')
  try {
    curve.setPrivateKey(privateKey, 'base64url')
    return curve.getPublicKey('base64url')
  } catch {
    return null
  }
}

/** Push services refuse a name that is only known here; an address of mail they take whatever it is. */
function pushSubjectOf(publicUrl: string, mail: Config['mail']): string {
  const { protocol, hostname } = new URL(publicUrl)
  if (protocol === 'https:' && hostname !== 'localhost') return publicUrl
  return `mailto:${/[^\s<>]+@[^\s<>]+/.exec(mail?.from ?? '')?.[0] ?? `no-reply@${hostname}`}`
}

function confirms(text: string | null, canSendMail: boolean): boolean {
  const word = choice('CONFIRM_EMAIL', text, ['auto', 'on', 'off'], 'auto')
  if (word === 'on' && !canSendMail)
    throw new ConfigError('CONFIRM_EMAIL must be auto or off as long as SMTP_URL names no mail server.')
  return word === 'auto' ? canSendMail : word === 'on'
}

function trimSlashes(text: string): string {
  return text.replace(/\/+$/, '')
}

function wholeNumber(name: string, text: string | null, otherwise: number, least: number, most: number): number {
  if (text === null) return otherwise
  const number = Number(text)
  if (Number.isInteger(number) && number >= least && number <= most) return number
  throw new ConfigError(`${name} must be a whole number from ${least} to ${most}.`)
}

function choice<const Words extends readonly string[]>(
  name: string,
  text: string | null,
  words: Words,
  otherwise: Words[number],
): Words[number] {
  if (text === null) return otherwise
  if (words.includes(text)) return text
  throw new ConfigError(`${name} must be one of ${words.join(', ')}.`)
}

function onOff(name: string, text: string | null, otherwise: boolean): boolean {
  return choice(name, text, ['on', 'off'], otherwise ? 'on' : 'off') === 'on'
}

// The value itself is never repeated in the sentence: an address may carry a password.
function address(name: string, text: string | null, protocols: readonly string[]): string | null {
  if (text === null) return null
  if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text
  throw new ConfigError(
    `${name} must be an address that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}.`,
  )
}

function origin(text: string): string {
  // The mobile shell's origin has a scheme of its own, which URL gives the origin 'null'.
  if (text === 'capacitor://localhost') return text
  if (URL.canParse(text) && new URL(text).origin === text) return text
  throw new ConfigError('CORS_ORIGINS must be origins such as https://app.example.org, separated by commas.')
}

function appLinksOf(value: (name: string) => string | null): AppLinkSettings {
  const fingerprints = listed(value('APP_LINK_ANDROID_FINGERPRINTS')).map((text) => text.toUpperCase())
  if (!fingerprints.every((text) => /^[0-9A-F]{2}(?::[0-9A-F]{2}){31}$/.test(text)))
    throw new ConfigError(
      'APP_LINK_ANDROID_FINGERPRINTS must be SHA-256 fingerprints such as AB:CD:…, separated by commas.',
    )
  const packageName = value('APP_LINK_ANDROID_PACKAGE') ?? 'app.hither.mobile'
  if (!/^[a-z]\w*(?:\.[a-z]\w*)+$/i.test(packageName))
    throw new ConfigError('APP_LINK_ANDROID_PACKAGE must be the name of a package such as app.hither.mobile.')
  const appleAppIds = listed(value('APP_LINK_APPLE_APP_IDS'))
  if (!appleAppIds.every((text) => /^[0-9A-Z]{10}(?:\.[0-9A-Za-z-]+)+$/.test(text)))
    throw new ConfigError(
      'APP_LINK_APPLE_APP_IDS must be identifiers such as ABCDE12345.app.hither.mobile, separated by commas.',
    )
  return { android: fingerprints.length > 0 ? { packageName, fingerprints } : null, appleAppIds }
}

function proxyTrust(text: string | null): boolean | string {
  if (text === null || text === 'off') return false
  if (text === 'on') return true
  const named = ['loopback', 'linklocal', 'uniquelocal']
  if (text.split(',').every((entry) => named.includes(entry.trim()) || isNetwork(entry.trim()))) return text
  throw new ConfigError('TRUST_PROXY must be on, off, or addresses of proxies separated by commas.')
}

/** An address, or a range of them such as 10.0.0.0/8. */
function isNetwork(text: string): boolean {
  const [ip = '', bits, ...rest] = text.split('/')
  const most = isIP(ip) === 6 ? 128 : 32
  return isIP(ip) !== 0 && rest.length === 0 && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= most))
}

function bucketOf(text: string | null): S3Location | null {
  if (text === null) return null
  const url = URL.canParse(text) ? new URL(text) : null
  const bucket = url?.pathname.replace(/^\/|\/$/g, '') ?? ''
  const ssl = url?.searchParams.get('ssl') ?? 'on'
  const isComplete = url?.protocol === 's3:' && url.host && url.username && url.password
  if (!isComplete || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) || !['on', 'off'].includes(ssl)) {
    throw new ConfigError(
      'STORAGE_URL must be an address of the form s3://KEY:SECRET@host:port/bucket?region=us-east-1&ssl=on.',
    )
  }
  return {
    endpoint: `${ssl === 'on' ? 'https' : 'http'}://${url.host}`,
    region: url.searchParams.get('region') ?? 'us-east-1',
    bucket,
    accessKeyId: decoded(url.username),
    secretAccessKey: decoded(url.password),
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new ConfigError('STORAGE_URL must be an address whose key and secret are percent-encoded.')
  }
}

function absolute(path: string): string {
  return isAbsolute(path) ? path : resolve(path)
}
