/**
 * The one list of all settings. `readConfig` reads exactly these names, and `npm run settings` writes from it the table of the
 * README and `deploy/hither.env`.
 */
export interface Setting {
  readonly name: string
  readonly group: string
  /** The text that has the same effect as no text. `null`: there is none, and the description says what happens without one. */
  readonly default: string | null
  /** In Markdown: what follows the name in a list, without a period at the end. */
  readonly description: string
  /** Whether the value must be readable for the operator only. */
  readonly is_secret: boolean
  /** Whether the store templates offer it. */
  readonly in_templates: boolean
}

type Mark = 'secret' | 'in templates'

/** An entry of a group. */
function setting<const Name extends string>(
  name: Name,
  defaultText: string | null,
  description: string,
  ...marks: readonly Mark[]
) {
  const is_secret = marks.includes('secret')
  return { name, default: defaultText, description, is_secret, in_templates: marks.includes('in templates') }
}

function inGroup<Name extends string>(group: string, entries: readonly (Omit<Setting, 'group'> & { name: Name })[]) {
  return entries.map((entry) => ({ ...entry, group }))
}

export const settings = [
  ...inGroup('Address', [
    setting(
      'PUBLIC_URL',
      null,
      'the address that people use, `https://…` behind a proxy. Without it, `http://localhost:PORT`. Links in emails start with it',
      'in templates',
    ),
    setting(
      'SERVER_NAME',
      null,
      "the name of this server, at most 40 characters, below the product's name",
      'in templates',
    ),
    setting('PORT', '3000', 'the port that the server listens on', 'in templates'),
    setting('HOST', '127.0.0.1', 'the address that it listens on; `0.0.0.0` accepts connections from other machines'),
    setting(
      'TRUST_PROXY',
      'off',
      '`on`, or the proxies in front of the server: `loopback`, `uniquelocal` or addresses, separated by commas',
      'in templates',
    ),
    setting('CORS_ORIGINS', null, 'other origins that may call the API, separated by commas'),
    setting(
      'DEFAULT_LOCALE',
      'en',
      'the language for people whose language is not known, and of link previews: `ar`, `de`, `en`, `es` or `fr`',
    ),
  ]),
  ...inGroup('Data', [
    setting(
      'DATA_DIR',
      './data',
      'the folder of the built-in database, pictures and secrets; for root, if the database user cannot enter it, `/var/lib/hither`',
    ),
    setting('STORAGE_PER_PERSON_MB', '1000', 'how many megabytes of pictures one person may have stored'),
    setting(
      'DISK_FREE_MIN_MB',
      null,
      'below this free space on the disk of `DATA_DIR`, uploads and exports are refused. Without it, 1 GB or 5 % of a small disk',
    ),
    setting(
      'PING_CHAT_KEEP_DAYS',
      '7',
      'how many days after the end of a pin its chat is deleted, 0 to 365. `0`: chats of new pins stay',
    ),
    setting(
      'PLACE_KEEP_HOURS',
      '24',
      'how many hours after the end of a pin its exact place is replaced by its area, 0 to 720',
    ),
    setting('PING_RETENTION_DAYS', '7', 'how many days after its end a pin is deleted'),
  ]),
  ...inGroup('Email', [
    setting(
      'SMTP_URL',
      null,
      'the mail server: `smtp://user:password@host:587`, or `smtps://…:465`. Without it, people who forgot their password use a recovery code, or a link from an admin',
      'secret',
      'in templates',
    ),
    setting(
      'MAIL_FROM',
      null,
      'the sender. Without it, `Hither <no-reply@…>` with the host of `PUBLIC_URL`',
      'in templates',
    ),
    setting(
      'CONFIRM_EMAIL',
      'auto',
      'whether new users must open a confirmation link: `auto` (yes if the server can send email), `on`, `off`',
    ),
  ]),
  ...inGroup('Sign-in', [
    setting('GOOGLE_CLIENT_ID', null, "shows the button “Sign in with Google” and accepts Google's identity tokens"),
    setting(
      'GOOGLE_ISSUER',
      'https://accounts.google.com',
      "another OpenID issuer whose tokens are accepted instead of Google's",
    ),
    setting(
      'OIDC_ISSUER',
      null,
      'an OpenID Connect provider such as Authelia or Keycloak: [docs/sign-in.md](docs/sign-in.md)',
    ),
    setting('OIDC_CLIENT_ID', null, 'the client that is registered there'),
    setting('OIDC_CLIENT_SECRET', null, 'its secret, if it has one', 'secret'),
    setting('OIDC_NAME', null, 'the name on its button. Without it, the host of the issuer'),
    setting('OIDC_SCOPES', 'openid email profile', 'the scopes that are requested'),
    setting('OIDC_SIGNUP', 'registration', 'who gets a new account: `registration` (as sign-up says), `on`, `off`'),
    setting('OIDC_TRUST_EMAIL', 'off', '`on`: all email addresses of the provider count as verified'),
  ]),
  ...inGroup('Maps and places', [
    setting('MAP_ONLINE', 'on', '`off`: maps come from this server only. [docs/maps.md](docs/maps.md)'),
    setting('MAP_STYLE_URL', null, 'the style of street maps. The map works without any of these'),
    setting('MAP_SATELLITE_URL', null, 'satellite images'),
    setting('MAP_KEY', null, 'the key for the services of both', 'secret'),
    setting('MAP_HOSTS', null, 'further origins that a map is loaded from, separated by commas'),
    setting(
      'GEOCODER_URL',
      'off',
      'the service that looks up addresses and places. Without it, the server uses its own list of towns',
    ),
    setting(
      'DIRECTIONS_URL',
      'https://www.google.com/maps/dir/?api=1&destination={latitude},{longitude}',
      'the page that shows the way to a pin',
    ),
  ]),
  ...inGroup('Notifications and apps', [
    setting(
      'VAPID_PUBLIC_KEY',
      null,
      'the key that identifies this server to push services (`npx web-push generate-vapid-keys`). Without it, made once and stored in the database',
    ),
    setting('VAPID_PRIVATE_KEY', null, 'its other half', 'secret'),
    setting(
      'PUSH_HOSTS',
      null,
      'origins of your own push services that are not on the public internet, separated by commas',
    ),
    setting(
      'APP_LINK_ANDROID_FINGERPRINTS',
      null,
      'the Android apps that may open links of this server: [docs/mobile.md](docs/mobile.md)',
    ),
    setting('APP_LINK_ANDROID_PACKAGE', 'app.hither.mobile', 'their package'),
    setting('APP_LINK_APPLE_APP_IDS', null, 'the same for iOS'),
  ]),
  ...inGroup('Backups and monitoring', [
    setting(
      'BACKUPS_ENABLED',
      'on',
      'makes a backup every night and before each upgrade: [docs/operations.md](docs/operations.md#backups). With `DATABASE_URL`, the default is `off`',
    ),
    setting('BACKUP_DIR', null, 'their folder. Without it, `backups` in `DATA_DIR`'),
    setting('BACKUP_KEEP_DAYS', '14', 'how many days they are stored'),
    setting(
      'BACKUP_RECIPIENT',
      null,
      'encrypts backups for 1 to 4 public keys of `npm run backup-key`, separated by commas',
    ),
    setting(
      'UPDATE_CHECK_URL',
      null,
      'the `latest.json` of the newest release, read once a day. Without it, the server asks nobody for updates',
    ),
    setting('METRICS_TOKEN', null, 'the token for reading `/metrics` from other machines', 'secret'),
    setting('LOG_LEVEL', 'info', '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`'),
  ]),
  ...inGroup('Several nodes', [
    setting('DATABASE_URL', null, 'a PostgreSQL server (15 or newer) instead of the built-in database', 'secret'),
    setting(
      'REDIS_URL',
      null,
      'connects several nodes that share one `DATABASE_URL`; `npm run cluster` starts two nodes on this machine',
      'secret',
    ),
    setting(
      'AUTH_SECRET',
      null,
      'signs access tokens; required with `DATABASE_URL`. Without it, made once and stored in `DATA_DIR`',
      'secret',
    ),
    setting(
      'STORAGE_URL',
      null,
      'an S3-compatible bucket for pictures instead of the data folder: `s3://KEY:SECRET@host:port/bucket?region=…&ssl=off`',
      'secret',
    ),
  ]),
  ...inGroup('Tests', [
    setting('RATE_LIMITS', 'on', '`off`: no rate limits, for testing only'),
    setting(
      'LOAD_SHEDDING',
      'on',
      '`off`: under overload the server responds slowly instead of refusing calls with 503. With `RATE_LIMITS=off`, the default is `off`',
    ),
  ]),
]

export type SettingName = (typeof settings)[number]['name']

/** Old and new names. An old name fails the start, because a setting that is silently ignored could turn backups off. */
export const renamedSettings = [
  ['BACKUPS', 'BACKUPS_ENABLED'],
  ['IDENTITY_ISSUER', 'GOOGLE_ISSUER'],
] as const satisfies readonly (readonly [string, SettingName])[]
