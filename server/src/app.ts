import { join } from 'node:path'
import { fileLimits } from '@hither/contract/files.ts'
import { getOwnStreetTile } from '@hither/contract/maps.ts'
import { type Operation } from '@hither/contract/operation.ts'
import { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { addAppLinkRoutes } from './app-links/app-links.routes.ts'
import { type AuthJobs, createAuthJobs } from './auth/auth.jobs.ts'
import { addAuthRoutes } from './auth/auth.routes.ts'
import { createIdentityTokens } from './auth/identity-tokens.ts'
import { composeMail } from './auth/mails.service.ts'
import { revokeRecentlyEnded } from './auth/sessions.service.ts'
import { createTokens } from './auth/tokens.ts'
import { type BackupJobs, createBackupJobs } from './backups/backups.jobs.ts'
import { backupDepsOf } from './backups/backups.service.ts'
import { newestArchive } from './backups/newest-archive.ts'
import { type Config } from './config.ts'
import { addDiagnosticsRoutes } from './diagnostics/diagnostics.routes.ts'
import { createFileJobs, type FileJobs } from './files/files.jobs.ts'
import { addFileRoutes } from './files/files.routes.ts'
import { addFriendRoutes } from './friends/friends.routes.ts'
import { listFriendIds } from './friends/friends.service.ts'
import { addGeoRoutes } from './geo/geo.routes.ts'
import { createGeo } from './geo/geo.service.ts'
import { createGeocoder } from './geo/geocoder.ts'
import { createPlaces } from './geo/places.ts'
import { addMapRoutes } from './maps/maps.routes.ts'
import { createMaps } from './maps/maps.service.ts'
import { isMember } from './messages/conversations.service.ts'
import { addMessageRoutes } from './messages/messages.routes.ts'
import { makeAdminCode } from './moderation/admins.service.ts'
import { createModerationJobs, type ModerationJobs } from './moderation/moderation.jobs.ts'
import { addModerationRoutes } from './moderation/moderation.routes.ts'
import { createDeliveryJobs, type DeliveryJobs } from './notifications/deliveries.jobs.ts'
import { type Delivery } from './notifications/deliveries.service.ts'
import { addNotificationRoutes } from './notifications/notifications.routes.ts'
import { keptPushKeys } from './notifications/push-keys.ts'
import { createPushSender } from './notifications/push-sender.ts'
import { composePush } from './notifications/pushes.compose.ts'
import { createPushJobs, type PushJobs } from './notifications/pushes.jobs.ts'
import { type PushDelivery } from './notifications/pushes.queries.ts'
import { createPingJobs, type PingJobs } from './pings/pings.jobs.ts'
import { addPingRoutes } from './pings/pings.routes.ts'
import { answerErrors, answerUnknown } from './platform/answers.ts'
import { type BuiltInDatabase } from './platform/built-in-database/built-in-database.ts'
import { trackCalls } from './platform/call-tracker.ts'
import { type Pool } from './platform/database.ts'
import { addHealth } from './platform/health.ts'
import { createRoutes } from './platform/http.ts'
import { createImages } from './platform/images.ts'
import { shedLoad } from './platform/load-shedder.ts'
import { createMailer } from './platform/mail.ts'
import { joinNodes } from './platform/nodes.ts'
import { isAllowedOrigin } from './platform/origins.ts'
import { assertBelowCeiling, createLocalRateLimits, noRateLimits } from './platform/rate-limits.ts'
import { createServer } from './platform/server.ts'
import { createStorage } from './platform/storage.ts'
import { createUploads } from './platform/uploads.ts'
import { createVacuumJobs, type VacuumJobs } from './platform/vacuum.jobs.ts'
import { version } from './platform/version.ts'
import { addWebApp } from './platform/web-app.ts'
import { addPreviewRoutes } from './previews/previews.routes.ts'
import { createPreviews } from './previews/previews.service.ts'
import { addBroadcastRoutes } from './realtime/broadcast.routes.ts'
import { createGateway } from './realtime/gateway.ts'
import { addServiceRoutes } from './service/service.routes.ts'
import { addUserRoutes } from './users/users.routes.ts'
import { announceOnline } from './users/users.service.ts'

export interface AppOptions {
  readonly config: Config
  readonly pool: Pool
  /** The database that runs as a child of this process, if one does. */
  readonly builtIn?: BuiltInDatabase | null
  readonly authSecret: string
  readonly log: FastifyBaseLogger
  readonly now: () => Date
}

export interface App {
  readonly http: FastifyInstance
  readonly pingJobs: PingJobs
  readonly fileJobs: FileJobs
  readonly authJobs: AuthJobs
  readonly deliveryJobs: DeliveryJobs
  readonly pushJobs: PushJobs
  readonly moderationJobs: ModerationJobs
  readonly backupJobs: BackupJobs
  readonly vacuumJobs: VacuumJobs
  /** Makes whoever enters it the first admin; `null` once there is one. */
  makeAdminCode(): Promise<string | null>
  /** Resolves when everything that any node committed before the call has been delivered by this one. */
  catchUp(): Promise<void>
  /** Starts what time drives. */
  start(): void
  /**
   * Takes no further calls, lets those under way end, delivers what they changed, closes the live channel and leaves the other
   * nodes, in this order. Returns how many calls were cut off, as they took too long. The caller closes the pool.
   */
  stop(): Promise<number>
}

/** The whole composition: platform parts, then one line a feature. Never listens, so that a test or `main` decides where. */
export async function createApp({ config, pool, builtIn = null, authSecret, log, now }: AppOptions): Promise<App> {
  const ceilings = config.rateLimits ? createLocalRateLimits(now) : noRateLimits
  const http = await createServer(config, log, ({ ip }) =>
    assertBelowCeiling(ceilings, { address: ip, userId: undefined }),
  )
  // Before any route: each keeps the error handler of the moment it is ready.
  answerErrors(http)
  const calls = trackCalls(http)
  if (config.shedsLoad) shedLoad(http)
  const nodes = await joinNodes(config.redisUrl, pool, now, log)
  const { bus, changes, attendance, resumption } = nodes
  const tokens = createTokens(authSecret, now)
  const learnEnded = () => revokeRecentlyEnded({ pool, changes, tokens, now })
  bus.subscribe((message) => {
    if (message.kind === 'sessions_ended') tokens.revoke(message.sessionIds)
    if (message.kind === 'gap')
      learnEnded().catch((error: unknown) => log.error({ err: error }, 'ended sessions were not read'))
  })
  await learnEnded()
  const gateway = createGateway({
    tokens,
    bus,
    attendance,
    resumption,
    now,
    log,
    allowedOrigins: isAllowedOrigin(config),
    friendsOf: (userId) => listFriendIds(pool, userId),
    isMember: (conversationId, userId) => isMember(pool, conversationId, userId),
    onOnlineChange: (userId, isOnline) => {
      announceOnline({ pool, changes }, userId, isOnline).catch((error: unknown) =>
        log.error({ err: error }, 'presence was not announced'),
      )
    },
  })
  gateway.attach(http.server)

  const storage = createStorage(config)
  const uploads = createUploads(join(config.dataDir, 'uploads'))
  const images = createImages({ pixelsMax: fileLimits.pixels })
  const rateLimits = config.rateLimits ? nodes.rateLimits : noRateLimits
  const { googleClientId: clientId, identityIssuer, mail, publicUrl, confirmEmail } = config
  const identityTokens = clientId === null ? null : createIdentityTokens({ url: identityIssuer, clientId }, now)
  const mailer = mail && createMailer(mail, publicUrl, now)
  const deps = { pool, changes, tokens, presence: attendance, storage, uploads, images, now, log }
  const operations: Operation[] = []
  const routes = createRoutes(http, { tokens, uploads, rateLimits, ceilings }, operations)
  addAuthRoutes(routes, {
    ...deps,
    identityTokens,
    rateLimits,
    confirmsEmail: confirmEmail,
    canSendMail: mail !== null,
  })
  addUserRoutes(routes, { ...deps, identityTokens })
  addFriendRoutes(routes, deps)
  addPingRoutes(routes, { ...deps, publicUrl })
  addMessageRoutes(routes, deps)
  addFileRoutes(routes, deps)
  addNotificationRoutes(routes, { ...deps, pushHosts: config.push.hosts })
  const dataDir = config.dataDir
  addModerationRoutes(routes, {
    ...deps,
    publicUrl,
    dataDir,
    isEmbedded: config.databaseUrl === null,
    startedAt: now(),
  })
  const maps = createMaps(join(config.dataDir, 'maps'), log)
  addMapRoutes(http, routes, { maps, publicUrl, rateLimits: ceilings })
  const geocoder =
    config.geocoderUrl === null
      ? null
      : createGeocoder({ url: config.geocoderUrl, userAgent: `Hither/${version} (${publicUrl})`, now, log })
  addGeoRoutes(routes, createGeo({ geocoder, places: createPlaces(), now }))
  addDiagnosticsRoutes(routes, {
    ...deps,
    config,
    nodes,
    mailer,
    geocoder,
    newestArchive: () => newestArchive(config.backups.folder),
  })
  const pushKeys = config.push.keys ?? (await keptPushKeys(deps, authSecret))
  addServiceRoutes(routes, pool, config, maps, pushKeys.publicKey)
  addBroadcastRoutes(http, { tokens, rateLimits, ceilings, gateway })
  const backupJobs = createBackupJobs(backupDepsOf(config, deps))
  addHealth(http, {
    ...deps,
    nodes,
    bus,
    gateway,
    calls,
    backups: backupJobs,
    builtIn,
    metricsToken: config.metricsToken,
  })
  addAppLinkRoutes(http, config.appLinks)
  const previews = createPreviews({ ...deps, publicUrl })
  addPreviewRoutes(http, routes, previews)
  await addWebApp(http, {
    config,
    unknown: answerUnknown([...operations, getOwnStreetTile]),
    getHead: previews.getHead,
  })
  const pingJobs = createPingJobs({ ...deps, bus, retentionDays: config.pingRetentionDays })
  const fileJobs = createFileJobs(deps)
  const authJobs = createAuthJobs(deps)
  const compose = (delivery: Delivery) => composeMail({ ...deps, publicUrl }, delivery)
  const deliveryJobs = createDeliveryJobs({ ...deps, bus, mailer, compose })
  const sender = createPushSender({ keys: pushKeys, subject: config.push.subject, pushHosts: config.push.hosts })
  const pushJobs = createPushJobs({ ...deps, bus, sender, compose: (push: PushDelivery) => composePush(deps, push) })
  const moderationJobs = createModerationJobs(deps)
  const vacuumJobs = createVacuumJobs(deps)
  const allJobs = [pingJobs, fileJobs, authJobs, deliveryJobs, pushJobs, moderationJobs, backupJobs, vacuumJobs]

  return {
    http,
    pingJobs,
    fileJobs,
    authJobs,
    deliveryJobs,
    pushJobs,
    moderationJobs,
    backupJobs,
    vacuumJobs,
    makeAdminCode: () => makeAdminCode(deps),
    catchUp: nodes.outbox.catchUp,
    start() {
      for (const jobs of allJobs) jobs.start()
    },
    async stop() {
      gateway.refuseNew()
      calls.startDraining()
      await Promise.all(allJobs.map((jobs) => jobs.stop()))
      const cutOff = await calls.drained()
      // What was committed reaches the clients of this node now; without it they would receive it at another node.
      await nodes.outbox.catchUp().catch((error: unknown) => log.warn({ err: error }, 'outbox was not read to its end'))
      await gateway.stop()
      await http.close()
      await maps.close()
      await nodes.close()
      return cutOff
    },
  }
}
