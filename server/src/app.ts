import { join } from 'node:path'
import type { ResetLink } from '@hither/contract/auth/recovery.ts'
import type { UserId } from '@hither/contract/ids.ts'
import { getOwnStreetTile } from '@hither/contract/maps.ts'
import type { Operation } from '@hither/contract/operation.ts'
import { splitAddress } from '@hither/contract/runtime/address.ts'
import { fileLimits } from '@hither/contract/runtime/files.ts'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { emptyAccount } from './accounts/account-erasure.service.ts'
import { addAccountRoutes } from './accounts/accounts.routes.ts'
import { addAppLinkRoutes } from './app-links/app-links.routes.ts'
import { addAuthRoutes } from './auth/auth.routes.ts'
import { createIdentityTokens } from './auth/identity-tokens.ts'
import { createOidcProvider } from './auth/oidc/provider.ts'
import { listRecentlyEnded } from './auth/sessions.service.ts'
import { addSignInMethodRoutes } from './auth/sign-in-methods.routes.ts'
import { createTokens } from './auth/tokens.ts'
import { getBackupStatus } from './backups/backups.service.ts'
import { newestArchive } from './backups/newest-archive.ts'
import { addCircleRoutes } from './circles/circles.routes.ts'
import { joinCluster } from './cluster/cluster.ts'
import type { Config } from './config.ts'
import { addDiagnosticsRoutes } from './diagnostics/diagnostics.routes.ts'
import { getWaitingErasures } from './files/files.jobs.ts'
import { addFileRoutes } from './files/files.routes.ts'
import { addFriendLinkRoutes } from './friend-links/friend-links.routes.ts'
import { addFriendRoutes } from './friends/friends.routes.ts'
import { createAreas } from './geo/areas.ts'
import { addGeoRoutes } from './geo/geo.routes.ts'
import { createGeo } from './geo/geo.service.ts'
import { createGeocoder } from './geo/geocoder.ts'
import { createPlaces, type Places } from './geo/places.ts'
import { createJobs, finishJobs, type Jobs, startJobs, stopJobs } from './jobs.ts'
import { mapSources } from './maps/map-sources.ts'
import { addMapRoutes } from './maps/maps.routes.ts'
import { createMaps } from './maps/maps.service.ts'
import { isMember } from './messages/conversations.service.ts'
import { addMessageRoutes } from './messages/messages.routes.ts'
import { pingChats } from './messages/ping-chats.service.ts'
import { makeAdminCode } from './moderation/admins.service.ts'
import { addModerationRoutes } from './moderation/moderation.routes.ts'
import { createOperatorLink } from './moderation/operator-links.service.ts'
import { getWaitingMails } from './notifications/mail/deliveries.service.ts'
import { addNotificationRoutes } from './notifications/notifications.routes.ts'
import { loadOrCreatePushKeys } from './notifications/push/push-keys.ts'
import { getWaitingPushes, queuePushes } from './notifications/push/pushes.service.ts'
import { addHealth } from './ops/health.ts'
import { addGuestRoutes } from './pings/guests/guests.routes.ts'
import { getWaitingAnnouncements } from './pings/pings.jobs.ts'
import { addPingRoutes } from './pings/pings.routes.ts'
import { storePlaceKeep } from './pings/place/place-erasure.service.ts'
import { createAssertRoom } from './platform/data-folder/free-space.ts'
import type { BuiltInDatabase } from './platform/db/built-in-database/built-in-database.ts'
import type { Pool } from './platform/db/database.ts'
import { descriptionRoutes } from './platform/http/api-description.ts'
import { trackCalls } from './platform/http/call-tracker.ts'
import { addErrorHandler, createNotFoundHandler } from './platform/http/error-handler.ts'
import { shedLoad } from './platform/http/load-shedder.ts'
import { isAllowedOrigin } from './platform/http/origins.ts'
import { assertBelowCeiling, createLocalRateLimits, noRateLimits } from './platform/http/rate-limits.ts'
import { createRoutes } from './platform/http/routes.ts'
import { createServer } from './platform/http/server.ts'
import { createUploads } from './platform/http/uploads.ts'
import { addWebApp } from './platform/http/web-app.ts'
import { translatorOf } from './platform/languages/translator.ts'
import { createMailer } from './platform/mail/mailer.ts'
import { createImages } from './platform/media/images.ts'
import { createStorage } from './platform/media/storage.ts'
import { addPreviewRoutes } from './previews/previews.routes.ts'
import { createPreviews } from './previews/previews.service.ts'
import { addBroadcastRoutes, broadcastRoutes } from './realtime/broadcasts/broadcast.routes.ts'
import { createGateway } from './realtime/gateway/gateway.ts'
import { listFriendIds } from './relations/relations.service.ts'
import { addServiceRoutes } from './service/service.routes.ts'
import { addTripRoutes } from './trips/trips.routes.ts'
import { getUpdate } from './updates/updates.service.ts'
import { createOnlineAnnouncer } from './users/online-announcer.ts'
import { addUserRoutes } from './users/users.routes.ts'
import { announceOnline } from './users/users.service.ts'
import { version } from './version.ts'

interface AppOptions {
  readonly config: Config
  readonly pool: Pool
  /** The database that runs as a child of this process, if any. */
  readonly builtIn?: BuiltInDatabase | null
  readonly authSecret: string
  readonly log: FastifyBaseLogger
  readonly now: () => Date
  /** The names of places that come with the server. */
  readonly places?: Places
}

export interface App extends Jobs {
  readonly http: FastifyInstance
  /** Returns a code that makes a user the first admin; `null` once there is an admin. */
  makeAdminCode(): Promise<string | null>
  /** Creates a link that sets a new password, for the operator. `null` if no account has this email or username. */
  createOperatorLink(login: string): Promise<ResetLink | null>
  /** Resolves when this node has delivered everything that any node committed before the call. */
  catchUp(): Promise<void>
  /** Starts the jobs. */
  start(): void
  /**
   * Stops accepting requests, finishes the current ones, delivers their changes, closes the live channel and leaves the
   * cluster, in this order. Returns how many requests were aborted because they took too long. The caller closes the
   * pool.
   */
  stop(): Promise<number>
}

const hourMs = 3_600_000

/** Composes the server: platform parts, then one line per feature. Does not listen; a test or `main` decides where. */
export async function createApp({
  config,
  pool,
  builtIn = null,
  authSecret,
  log,
  now,
  places = createPlaces(),
}: AppOptions): Promise<App> {
  const ceilings = config.rateLimits ? createLocalRateLimits(now) : noRateLimits
  const http = await createServer(config, log, ({ ip }) =>
    assertBelowCeiling(ceilings, { address: ip, userId: undefined }),
  )
  // Before any route: a route uses the error handler that exists when the route is added.
  addErrorHandler(http)
  const calls = trackCalls(http)
  if (config.shedsLoad) shedLoad(http)
  const cluster = await joinCluster(config.redisUrl, pool, now, log)
  const { bus, outbox, changes, presenceStore, recentEvents } = cluster
  const tokens = createTokens(authSecret, now)
  const deliverEnded = async () =>
    bus.deliver({ kind: 'sessions_ended', sessionIds: await listRecentlyEnded({ pool, now }) })
  bus.subscribe((message) => {
    if (message.kind === 'sessions_ended') tokens.revoke(message.sessionIds)
    // The ends of sessions may be among the missed events.
    if (message.kind === 'gap')
      deliverEnded().catch((error: unknown) => log.error({ err: error }, 'revoked sessions could not be read'))
  })
  await storePlaceKeep(pool, config.placeKeepHours)
  // Access tokens of sessions that ended before a restart stay refused.
  await deliverEnded()
  changes.subscribe(queuePushes)
  // Throws if the status is unknown, so that it is announced later.
  const presence = { isOnline: async (userId: UserId) => (await presenceStore.metasOf([userId])).has(userId) }
  const onlineAnnouncer = createOnlineAnnouncer(
    (userId) => announceOnline({ pool, changes, presence }, userId),
    (error) => log.error({ err: error }, 'presence announcement failed'),
  )
  const gateway = createGateway({
    tokens,
    bus,
    presenceStore,
    recentEvents,
    catchUp: outbox.catchUp,
    secret: authSecret,
    now,
    placeKeepMs: config.placeKeepHours * hourMs,
    log,
    allowedOrigins: isAllowedOrigin(config),
    friendsOf: (userId) => listFriendIds(pool, userId),
    isMember: (conversationId, userId) => isMember(pool, conversationId, userId, now()),
    onOnlineChange: onlineAnnouncer.announce,
  })
  gateway.attach(http.server)

  const storage = createStorage(config)
  const assertRoom = createAssertRoom(config.dataDir, config.diskFreeMin)
  const uploadFolder = join(config.dataDir, 'uploads')
  const uploads = createUploads(uploadFolder, assertRoom)
  const images = createImages({ pixelsMax: fileLimits.pixels })
  const rateLimits = config.rateLimits ? cluster.rateLimits : noRateLimits
  const { googleClientId: clientId, googleIssuer, mail, publicUrl, confirmEmail } = config
  const identityTokens = clientId === null ? null : createIdentityTokens({ url: googleIssuer, clientId, log, now })
  const mailer = mail && createMailer(mail, publicUrl, now)
  const deps = {
    pool,
    changes,
    tokens,
    presence: presenceStore,
    storage,
    uploads,
    images,
    storagePerPerson: config.storagePerPerson,
    now,
    log,
  }
  const operations: Operation[] = []
  const routes = createRoutes(http, { tokens, uploads, rateLimits, ceilings }, operations)
  const oidc = config.oidc && createOidcProvider({ settings: config.oidc, publicUrl, authSecret, log, now })
  const issuers = { google: googleIssuer, isGoogleConfigured: clientId !== null, oidc: config.oidc }
  const authDeps = {
    ...deps,
    identityTokens,
    issuers,
    oidc,
    passkeys: config.passkeys,
    publicUrl,
    rateLimits,
    confirmsEmail: confirmEmail,
    canSendMail: mail !== null,
    // A mail server that does not answer now may take the mail later.
    canReach: async (address: string) => (await mailer?.canReach(address).catch(() => true)) ?? true,
    emptyAccount,
  }
  addAuthRoutes(routes, authDeps)
  addSignInMethodRoutes(routes, authDeps)
  addUserRoutes(routes, deps)
  addAccountRoutes(routes, {
    ...deps,
    spoolFolder: uploadFolder,
    assertRoom,
    identityTokens,
    issuers,
    rateLimits,
    pingRetentionDays: config.pingRetentionDays,
    backupKeepDays: config.backups.isOn ? config.backups.keepDays : null,
  })
  addFriendRoutes(routes, deps)
  addFriendLinkRoutes(routes, { ...deps, publicUrl })
  addCircleRoutes(routes, deps)
  const findArea = createAreas(places)
  addPingRoutes(routes, {
    ...deps,
    publicUrl,
    defaultLanguage: config.defaultLanguage,
    nameOfPlace: places.near,
    findArea,
    chats: pingChats,
  })
  addGuestRoutes(routes, deps)
  addTripRoutes(routes, deps)
  addMessageRoutes(routes, { ...deps, pingChatKeepDays: config.pingChatKeepDays })
  addFileRoutes(routes, deps)
  addNotificationRoutes(routes, { ...deps, pushHosts: config.push.hosts })
  const dataDir = config.dataDir
  addModerationRoutes(routes, {
    ...deps,
    publicUrl,
    canSendMail: mail !== null,
    dataDir,
    isEmbedded: config.databaseUrl === null,
    startedAt: now(),
    getBackupStatus: () => getBackupStatus(config.backups),
    getUpdate: () => getUpdate(pool, config.updateCheckUrl),
  })
  const maps = createMaps(join(config.dataDir, 'maps'), log)
  addMapRoutes(http, routes, { maps, publicUrl, rateLimits: ceilings })
  const geocoder =
    config.geocoderUrl === null
      ? null
      : createGeocoder({ url: config.geocoderUrl, userAgent: `Hither/${version} (${publicUrl})`, now, log })
  addGeoRoutes(routes, createGeo({ geocoder, places, now }), findArea)
  addDiagnosticsRoutes(routes, {
    ...deps,
    config,
    cluster,
    mailer,
    geocoder,
    oidc,
    newestArchive: () => newestArchive(config.backups.folder),
  })
  const pushKeys = config.push.keys ?? (await loadOrCreatePushKeys(deps, authSecret))
  addServiceRoutes(routes, pool, config, maps, pushKeys.publicKey)
  addBroadcastRoutes(http, { tokens, rateLimits, ceilings, gateway })
  const jobs = createJobs({ ...deps, config, bus, mailer, pushKeys, nearestTown: places.near })
  addHealth(http, {
    ...deps,
    cluster,
    bus,
    gateway,
    calls,
    backups: jobs.backupJobs,
    builtIn,
    queues: {
      files: getWaitingErasures,
      mail: getWaitingMails,
      pings: getWaitingAnnouncements,
      push: getWaitingPushes,
    },
    metricsToken: config.metricsToken,
  })
  addAppLinkRoutes(http, config.appLinks)
  const previews = createPreviews({ ...deps, publicUrl, translator: translatorOf(config.defaultLanguage) })
  addPreviewRoutes(http, routes, previews)
  await addWebApp(http, {
    config: { ...config, mapHosts: mapSources(config.map).hosts },
    unknown: createNotFoundHandler([
      ...[...operations, getOwnStreetTile].map(({ address }) => splitAddress(address)),
      ...descriptionRoutes,
      ...broadcastRoutes,
    ]),
    getHead: previews.getHead,
  })

  return {
    http,
    ...jobs,
    makeAdminCode: () => makeAdminCode(deps),
    createOperatorLink: (login) => createOperatorLink({ ...deps, config }, login),
    catchUp: cluster.outbox.catchUp,
    start() {
      startJobs(jobs)
      // The server starts without its provider. The next sign-in tries again.
      oidc?.check().catch((error: Error) => log.warn({ reason: error.message }, 'sign-in provider unavailable'))
    },
    async stop() {
      gateway.refuseNew()
      calls.startDraining()
      const [cutOff] = await Promise.all([calls.drained(), stopJobs(jobs, log)])
      // Changes committed before the stop are delivered to the clients of this node now; otherwise they would receive
      // them from another node.
      await cluster.outbox
        .catchUp()
        .catch((error: unknown) => log.warn({ err: error }, 'outbox could not be read before the stop'))
      await gateway.stop()
      await onlineAnnouncer.stop()
      await http.close()
      await finishJobs(jobs, log)
      await maps.close()
      await cluster.close()
      return cutOff
    },
  }
}
