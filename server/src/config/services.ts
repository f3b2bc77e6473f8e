import { createECDH } from 'node:crypto'
import { address, ConfigError, listed, onOff, type ReadSetting, webOrigin } from './values.ts'

// The settings of services outside of this server.

/** The settings for maps that are loaded from other servers. */
export interface MapSettings {
  readonly styleUrl: string | null
  readonly satelliteUrl: string | null
  readonly key: string | null
  readonly online: boolean
  /** Further origins that a style or a TileJSON of those addresses refers to. */
  readonly hosts: readonly string[]
}

export function mapOf(value: ReadSetting): MapSettings {
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

/** Off by default: the locations of pings must not be sent to a third party unless the operator chooses one. */
export function geocoderOf(text: string | null): string | null {
  return text === 'off' ? null : address('GEOCODER_URL', text, ['http:', 'https:'])
}

export function directionsOf(text: string | null): string {
  const url = address('DIRECTIONS_URL', text, ['http:', 'https:']) ?? googleDirections
  if (url.includes('{latitude}') && url.includes('{longitude}')) return url
  throw new ConfigError('DIRECTIONS_URL must be an address with {latitude} and {longitude} in it, to be filled in.')
}

const googleDirections = 'https://www.google.com/maps/dir/?api=1&destination={latitude},{longitude}'

export interface MailSettings {
  readonly smtpUrl: string
  readonly from: string
}

export function mailOf(smtpUrl: string | null, from: string | null, publicUrl: string): MailSettings | null {
  const url = address('SMTP_URL', smtpUrl, ['smtp:', 'smtps:'])
  const sender = from ?? `Hither <no-reply@${new URL(publicUrl).hostname}>`
  if (!/^(?:[^<>\r\n]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(sender))
    throw new ConfigError('MAIL_FROM must be an address such as Hither <no-reply@example.org>.')
  return url === null ? null : { smtpUrl: url, from: sender }
}

export interface PushSettings {
  /**
   * The VAPID key pair that identifies this server to push services; `null`: created once and stored in the database.
   */
  readonly keys: { readonly publicKey: string; readonly privateKey: string } | null
  /** The contact for push services. */
  readonly subject: string
  /** Origins of push services that are allowed although they are private or do not use https. */
  readonly hosts: readonly string[]
}

export function pushOf(value: ReadSetting, publicUrl: string, mail: MailSettings | null): PushSettings {
  return {
    keys: vapidOf(value('VAPID_PUBLIC_KEY'), value('VAPID_PRIVATE_KEY')),
    subject: pushSubjectOf(publicUrl, mail),
    hosts: listed(value('PUSH_HOSTS')).map((text) => webOrigin('PUSH_HOSTS', text)),
  }
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

/** Push services refuse a host name that is only known locally; they accept any mail address. */
function pushSubjectOf(publicUrl: string, mail: MailSettings | null): string {
  const { protocol, hostname } = new URL(publicUrl)
  if (protocol === 'https:' && hostname !== 'localhost') return publicUrl
  return `mailto:${/[^\s<>]+@[^\s<>]+/.exec(mail?.from ?? '')?.[0] ?? `no-reply@${hostname}`}`
}

/**
 * A bucket of an S3-compatible store, from `STORAGE_URL`: `s3://KEY:SECRET@host:port/bucket?region=eu-
 * central-1&ssl=off`. Key and secret are percent-encoded. The defaults are `region=us-east-1` and `ssl=on`.
 */
export interface S3Location {
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export function bucketOf(text: string | null): S3Location | null {
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
