import { describe, expect, it } from 'vitest'
import webPush from 'web-push'
import { ConfigError } from './config/values.ts'
import { readConfig } from './config.ts'

const secret = 'x'.repeat(32)
const fingerprint = Array(32).fill('AB').join(':')
const publicKey = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p'
const vapid = webPush.generateVAPIDKeys()

describe('settings', () => {
  it('need nothing to start on one machine', () => {
    expect(readConfig({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      hasPublicUrl: false,
      publicUrl: 'http://localhost:3000',
      serverName: null,
      dataDir: `${process.cwd()}/data`,
      databaseUrl: null,
      redisUrl: null,
      authSecret: null,
      map: { styleUrl: null, satelliteUrl: null, key: null, online: true, hosts: [] },
      directionsUrl: 'https://www.google.com/maps/dir/?api=1&destination={latitude},{longitude}',
      defaultLanguage: 'en',
      geocoderUrl: null,
      mail: null,
      push: { keys: null, subject: 'mailto:no-reply@localhost', hosts: [] },
      confirmEmail: false,
      googleClientId: null,
      googleIssuer: 'https://accounts.google.com',
      rateLimits: true,
      shedsLoad: true,
      logLevel: 'info',
      trustProxy: false,
      corsOrigins: [],
      appLinks: { android: null, appleAppIds: [] },
      pingChatKeepDays: 7,
      placeKeepHours: 24,
      pingRetentionDays: 7,
      storagePerPerson: 1_000_000_000,
      diskFreeMin: null,
      storage: null,
      backups: { isOn: true, folder: `${process.cwd()}/data/backups`, keepDays: 14, recipients: [] },
      metricsToken: null,
      updateCheckUrl: null,
      oidc: null,
      passkeys: { rpId: 'localhost', origin: 'http://localhost:3000' },
    })
  })

  it('are all taken from the environment', () => {
    const config = readConfig({
      PORT: '8080',
      HOST: '0.0.0.0',
      PUBLIC_URL: 'https://hither.example.org/',
      SERVER_NAME: 'Our circle',
      DATA_DIR: '/var/lib/hither',
      DATABASE_URL: 'postgres://hither@db/hither',
      REDIS_URL: 'rediss://cache:6379/1',
      AUTH_SECRET: secret,
      MAP_STYLE_URL: 'https://tiles.example.org/style.json',
      MAP_SATELLITE_URL: 'https://tiles.example.org/satellite',
      MAP_KEY: 'key',
      MAP_ONLINE: 'off',
      MAP_HOSTS: 'https://fonts.example.org',
      GEOCODER_URL: 'http://photon.example.org:2322',
      DIRECTIONS_URL: 'https://osmand.net/map?finish={latitude},{longitude}',
      DEFAULT_LOCALE: 'de',
      SMTP_URL: 'smtps://user:secret@mail.example.org:465',
      MAIL_FROM: 'Our Hither <hither@example.org>',
      VAPID_PUBLIC_KEY: vapid.publicKey,
      VAPID_PRIVATE_KEY: vapid.privateKey,
      PUSH_HOSTS: 'https://push.example.org:8443, http://10.0.0.7',
      CONFIRM_EMAIL: 'on',
      GOOGLE_CLIENT_ID: 'client',
      GOOGLE_ISSUER: 'https://id.example.org/',
      OIDC_ISSUER: 'https://auth.example.org/realms/home/',
      OIDC_CLIENT_ID: 'hither',
      OIDC_CLIENT_SECRET: 'its secret',
      OIDC_NAME: 'Authelia',
      OIDC_SCOPES: 'openid  email',
      OIDC_SIGNUP: 'off',
      OIDC_TRUST_EMAIL: 'on',
      RATE_LIMITS: 'off',
      LOAD_SHEDDING: 'on',
      LOG_LEVEL: 'warn',
      TRUST_PROXY: 'loopback, 10.0.0.0/8',
      CORS_ORIGINS: 'https://app.example.org, capacitor://localhost,',
      APP_LINK_ANDROID_FINGERPRINTS: `${fingerprint.toLowerCase()}, ${fingerprint}`,
      APP_LINK_ANDROID_PACKAGE: 'org.example.hither',
      APP_LINK_APPLE_APP_IDS: 'ABCDE12345.org.example.hither',
      PING_CHAT_KEEP_DAYS: '0',
      PLACE_KEEP_HOURS: '0',
      PING_RETENTION_DAYS: '30',
      STORAGE_PER_PERSON_MB: '250',
      DISK_FREE_MIN_MB: '2000',
      BACKUPS_ENABLED: 'on',
      BACKUP_DIR: '/mnt/backups',
      BACKUP_KEEP_DAYS: '60',
      BACKUP_RECIPIENT: `${publicKey},${publicKey}`,
      METRICS_TOKEN: 'let-prometheus-in',
      UPDATE_CHECK_URL: 'https://releases.example.org/latest.json',
      STORAGE_URL: 's3://KEY:a%2Fsecret@store.example.org:9000/pictures?region=eu-central-1&ssl=off',
    })
    expect(config).toEqual({
      port: 8080,
      host: '0.0.0.0',
      hasPublicUrl: true,
      publicUrl: 'https://hither.example.org',
      serverName: 'Our circle',
      dataDir: '/var/lib/hither',
      databaseUrl: 'postgres://hither@db/hither',
      redisUrl: 'rediss://cache:6379/1',
      authSecret: secret,
      map: {
        styleUrl: 'https://tiles.example.org/style.json',
        satelliteUrl: 'https://tiles.example.org/satellite',
        key: 'key',
        online: false,
        hosts: ['https://fonts.example.org'],
      },
      geocoderUrl: 'http://photon.example.org:2322',
      directionsUrl: 'https://osmand.net/map?finish={latitude},{longitude}',
      defaultLanguage: 'de',
      mail: { smtpUrl: 'smtps://user:secret@mail.example.org:465', from: 'Our Hither <hither@example.org>' },
      push: {
        keys: vapid,
        subject: 'https://hither.example.org',
        hosts: ['https://push.example.org:8443', 'http://10.0.0.7'],
      },
      confirmEmail: true,
      googleClientId: 'client',
      googleIssuer: 'https://id.example.org',
      rateLimits: false,
      shedsLoad: true,
      logLevel: 'warn',
      trustProxy: 'loopback, 10.0.0.0/8',
      corsOrigins: ['https://app.example.org', 'capacitor://localhost'],
      appLinks: {
        android: { packageName: 'org.example.hither', fingerprints: [fingerprint, fingerprint] },
        appleAppIds: ['ABCDE12345.org.example.hither'],
      },
      pingChatKeepDays: 0,
      placeKeepHours: 0,
      pingRetentionDays: 30,
      storagePerPerson: 250_000_000,
      diskFreeMin: 2_000_000_000,
      storage: {
        endpoint: 'http://store.example.org:9000',
        region: 'eu-central-1',
        bucket: 'pictures',
        accessKeyId: 'KEY',
        secretAccessKey: 'a/secret',
      },
      backups: { isOn: true, folder: '/mnt/backups', keepDays: 60, recipients: [publicKey, publicKey] },
      metricsToken: 'let-prometheus-in',
      updateCheckUrl: 'https://releases.example.org/latest.json',
      oidc: {
        issuer: 'https://auth.example.org/realms/home',
        clientId: 'hither',
        clientSecret: 'its secret',
        name: 'Authelia',
        scopes: 'openid email',
        signUp: 'off',
        trustsEmail: true,
      },
      passkeys: { rpId: 'hither.example.org', origin: 'https://hither.example.org' },
    })
  })

  it('leave the backups of a database server to its operators, unless BACKUPS_ENABLED is set', () => {
    const backupsOf = (environment: Record<string, string>) =>
      readConfig({ DATABASE_URL: 'postgres://db/hither', AUTH_SECRET: secret, ...environment }).backups
    expect(backupsOf({})).toMatchObject({ isOn: false })
    expect(backupsOf({ BACKUPS_ENABLED: 'on', DATA_DIR: '/data' })).toMatchObject({
      isOn: true,
      folder: '/data/backups',
    })
  })

  it('that are empty or blank count as not set', () => {
    expect(readConfig({ PORT: '', PUBLIC_URL: '  ', AUTH_SECRET: '', CORS_ORIGINS: ' , ' })).toEqual(readConfig({}))
  })

  it.each([
    ['PORT', 'eighty'],
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['PORT', '80.5'],
    ['PUBLIC_URL', 'hither.example.org'],
    ['PUBLIC_URL', 'ftp://hither.example.org'],
    ['SERVER_NAME', 'x'.repeat(41)],
    ['SERVER_NAME', 'Our\ncircle'],
    ['SERVER_NAME', 'Our \u202ecircle'],
    ['DATABASE_URL', 'mysql://db/hither'],
    ['REDIS_URL', 'http://cache'],
    ['REDIS_URL', 'redis://cache'],
    ['DATABASE_URL', 'not an address'],
    ['AUTH_SECRET', 'x'.repeat(31)],
    ['MAP_STYLE_URL', 'style.json'],
    ['MAP_SATELLITE_URL', 'javascript:alert(1)'],
    ['MAP_ONLINE', 'yes'],
    ['MAP_HOSTS', 'https://tiles.example.org/path'],
    ['MAP_HOSTS', '*'],
    ['GEOCODER_URL', 'on'],
    ['GEOCODER_URL', 'file:///etc/passwd'],
    ['DIRECTIONS_URL', 'javascript:alert({latitude},{longitude})'],
    ['DIRECTIONS_URL', 'https://www.openstreetmap.org/directions'],
    ['DEFAULT_LOCALE', 'xx'],
    ['DEFAULT_LOCALE', 'en-XA'],
    ['SMTP_URL', 'mail.example.org'],
    ['SMTP_URL', 'https://mail.example.org'],
    ['MAIL_FROM', 'Hither'],
    ['MAIL_FROM', 'a@b.cd\r\nBcc: everyone@example.org'],
    ['PUSH_HOSTS', 'push.example.org'],
    ['CONFIRM_EMAIL', 'yes'],
    ['CONFIRM_EMAIL', 'on'],
    ['GOOGLE_ISSUER', 'accounts.google.com'],
    ['OIDC_ISSUER', 'auth.example.org'],
    ['OIDC_ISSUER', 'http://auth.example.org'],
    ['OIDC_ISSUER', 'https://auth.example.org/?tenant=1'],
    ['OIDC_ISSUER', 'https://user:secret@auth.example.org'],
    ['OIDC_NAME', 'x'.repeat(41)],
    ['OIDC_SCOPES', 'email profile'],
    ['OIDC_SIGNUP', 'yes'],
    ['OIDC_TRUST_EMAIL', 'yes'],
    ['RATE_LIMITS', 'few'],
    ['LOAD_SHEDDING', 'some'],
    ['LOG_LEVEL', 'loud'],
    ['TRUST_PROXY', 'everyone'],
    ['TRUST_PROXY', '10.0.0.1,'],
    ['TRUST_PROXY', '10.0.0.0/99'],
    ['CORS_ORIGINS', 'app.example.org'],
    ['CORS_ORIGINS', 'https://app.example.org/path'],
    ['CORS_ORIGINS', '*'],
    ['APP_LINK_ANDROID_FINGERPRINTS', 'AB:CD'],
    ['APP_LINK_ANDROID_FINGERPRINTS', `${fingerprint}:AB`],
    ['APP_LINK_ANDROID_PACKAGE', 'hither'],
    ['APP_LINK_APPLE_APP_IDS', 'app.hither.mobile'],
    ['PING_CHAT_KEEP_DAYS', '-1'],
    ['PING_CHAT_KEEP_DAYS', '366'],
    ['PING_CHAT_KEEP_DAYS', 'never'],
    ['PLACE_KEEP_HOURS', '-1'],
    ['PLACE_KEEP_HOURS', '721'],
    ['PLACE_KEEP_HOURS', 'never'],
    ['PING_RETENTION_DAYS', '0'],
    ['STORAGE_PER_PERSON_MB', '0'],
    ['DISK_FREE_MIN_MB', '1 GB'],
    ['PING_RETENTION_DAYS', '3651'],
    ['PING_RETENTION_DAYS', 'forever'],
    ['BACKUPS_ENABLED', 'nightly'],
    ['BACKUP_KEEP_DAYS', '0'],
    // The last character is another one; five keys; no key.
    ['BACKUP_RECIPIENT', `${publicKey.slice(0, -1)}q`],
    ['BACKUP_RECIPIENT', Array(5).fill(publicKey).join()],
    ['BACKUP_RECIPIENT', `${publicKey},ssh-ed25519 AAAA`],
    ['BACKUP_RECIPIENT', ','],
    ['METRICS_TOKEN', 'short'],
    ['METRICS_TOKEN', 'a token with spaces in it'],
    ['UPDATE_CHECK_URL', 'http://releases.example.org/latest.json'],
    ['UPDATE_CHECK_URL', 'https://releases.example.org/latest.json?of=me'],
    ['UPDATE_CHECK_URL', 'https://me:secret@releases.example.org/latest.json'],
    ['STORAGE_URL', 'https://KEY:SECRET@store.example.org/pictures'],
    ['STORAGE_URL', 's3://store.example.org/pictures'],
    ['STORAGE_URL', 's3://KEY:SECRET@store.example.org'],
    ['STORAGE_URL', 's3://KEY:SECRET@store.example.org/pictures/of/ours'],
    ['STORAGE_URL', 's3://KEY:SECRET@store.example.org/pictures?ssl=perhaps'],
    ['STORAGE_URL', 's3://KEY:%E0%A4%A@store.example.org/pictures'],
  ])('%s cannot be %s, and the sentence names it', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(ConfigError)
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} must be .*\\.$`))
  })

  it.each([
    ['BACKUPS', 'BACKUPS_ENABLED'],
    ['IDENTITY_ISSUER', 'GOOGLE_ISSUER'],
  ])('reject the old name %s with a sentence that names %s', (oldName, newName) => {
    const start = () => readConfig({ [oldName]: 'on' })
    expect(start).toThrow(ConfigError)
    expect(start).toThrow(`${oldName} is now called ${newName}. Set ${newName} instead and remove ${oldName}.`)
    expect(readConfig({ [oldName]: '' })).toEqual(readConfig({}))
  })

  it('with a private key for backups fail the start without printing it', () => {
    const key = 'AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX'
    for (const BACKUP_RECIPIENT of [key, `${publicKey}, ${key.toLowerCase()}`])
      expect(() => readConfig({ BACKUP_RECIPIENT })).toThrow(
        new ConfigError(
          'BACKUP_RECIPIENT contains a private key. Put the public key (age1…) there and keep the private key off this server.',
        ),
      )
  })

  it('never print the value of BACKUP_RECIPIENT', () => {
    expect(() => readConfig({ BACKUP_RECIPIENT: `${publicKey.slice(0, -1)}q` })).toThrow(/^((?!ql3z7).)*$/)
  })

  it('name no geocoder by default, so that the places of pins go to no third party', () => {
    expect(readConfig({}).geocoderUrl).toBeNull()
    expect(readConfig({ MAP_ONLINE: 'on' }).geocoderUrl).toBeNull()
    expect(readConfig({ GEOCODER_URL: 'off' }).geocoderUrl).toBeNull()
    const GEOCODER_URL = 'http://localhost:2322'
    expect(readConfig({ MAP_ONLINE: 'off', GEOCODER_URL }).geocoderUrl).toBe(GEOCODER_URL)
  })

  it('with a key say whose it is', () => {
    expect(() => readConfig({ MAP_KEY: 'key' })).toThrow(/^MAP_KEY needs MAP_STYLE_URL or MAP_SATELLITE_URL/)
  })

  it('of a provider need its client, may name one on this machine without TLS, and cannot name Google twice', () => {
    const OIDC_ISSUER = 'http://127.0.0.1:9091/'
    expect(() => readConfig({ OIDC_ISSUER })).toThrow(/^OIDC_CLIENT_ID is required with OIDC_ISSUER/)
    expect(() => readConfig({ OIDC_CLIENT_ID: 'hither' })).toThrow(/^OIDC_CLIENT_ID needs OIDC_ISSUER/)
    expect(readConfig({ OIDC_ISSUER, OIDC_CLIENT_ID: 'hither' }).oidc).toEqual({
      issuer: 'http://127.0.0.1:9091',
      clientId: 'hither',
      clientSecret: null,
      name: '127.0.0.1',
      scopes: 'openid email profile',
      signUp: 'registration',
      trustsEmail: false,
    })
    const google = { OIDC_ISSUER: 'https://accounts.google.com/', OIDC_CLIENT_ID: 'a', GOOGLE_CLIENT_ID: 'b' }
    expect(() => readConfig(google)).toThrow('OIDC_ISSUER names Google, as GOOGLE_CLIENT_ID does. Remove one of them.')
  })

  it.each([
    ['http://localhost:3000', 'localhost'],
    ['https://hither.example.org:8443', 'hither.example.org'],
    ['http://hither.example.org', undefined],
    ['https://10.0.0.5', undefined],
    ['https://[::1]', undefined],
  ])('at %s allow passkeys of %s', (publicUrl, rpId) => {
    expect(readConfig({ PUBLIC_URL: publicUrl }).passkeys?.rpId).toBe(rpId)
  })

  it('with a database server need a secret that all nodes share', () => {
    expect(() => readConfig({ DATABASE_URL: 'postgres://db/hither' })).toThrow(/^AUTH_SECRET is required/)
  })

  it('require confirmed addresses if mail can be sent, unless CONFIRM_EMAIL is set', () => {
    const SMTP_URL = 'smtp://localhost'
    expect(readConfig({ SMTP_URL })).toMatchObject({
      confirmEmail: true,
      mail: { smtpUrl: SMTP_URL, from: 'Hither <no-reply@localhost>' },
    })
    expect(readConfig({ SMTP_URL, CONFIRM_EMAIL: 'off' })).toMatchObject({ confirmEmail: false, mail: {} })
    expect(readConfig({ CONFIRM_EMAIL: 'auto' })).toMatchObject({ confirmEmail: false, mail: null })
  })

  it('that are wrong are never repeated, since an address may hold a password', () => {
    const refused = () => readConfig({ DATABASE_URL: 'mysql://hither:hunter2@db/hither' })
    expect(refused).toThrow(ConfigError)
    expect(refused).not.toThrow(/hunter2/)
  })

  it('name nobody but an address of mail to push services where the server is only known here', () => {
    const subjectOf = (environment: Record<string, string>) => readConfig(environment).push.subject
    expect(subjectOf({ PUBLIC_URL: 'http://hither.lan' })).toBe('mailto:no-reply@hither.lan')
    expect(subjectOf({ PUBLIC_URL: 'https://localhost:3000' })).toBe('mailto:no-reply@localhost')
    const mail = { SMTP_URL: 'smtp://mail', MAIL_FROM: 'Hither <hither@example.org>' }
    expect(subjectOf({ PUBLIC_URL: 'http://hither.lan', ...mail })).toBe('mailto:hither@example.org')
  })

  it('take no push key without its other half', () => {
    const { publicKey } = webPush.generateVAPIDKeys()
    for (const half of [{ VAPID_PUBLIC_KEY: publicKey }, { VAPID_PRIVATE_KEY: vapid.privateKey }])
      expect(() => readConfig(half)).toThrow('VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY must be set together.')
    for (const VAPID_PUBLIC_KEY of [publicKey, 'x'])
      expect(() => readConfig({ VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY: vapid.privateKey })).toThrow(
        /^VAPID_PUBLIC_KEY must/,
      )
    expect(() => readConfig({ VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: 'x' })).toThrow(ConfigError)
  })
})
