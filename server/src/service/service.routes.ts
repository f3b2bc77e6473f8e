import * as contract from '@hither/contract/config.ts'
import { locales } from '@hither/contract/runtime/locales.ts'
import { getRegistration } from '../admission/admission.service.ts'
import type { Config } from '../config.ts'
import { mapSources } from '../maps/map-sources.ts'
import type { Maps } from '../maps/maps.service.ts'
import type { Pool } from '../platform/db/database.ts'
import type { Routes } from '../platform/http/routes.ts'
import { version } from '../version.ts'

/** What a client must know to start. The response lists each public field of the configuration. */
export function addServiceRoutes(routes: Routes, pool: Pool, config: Config, maps: Maps, pushKey: string): void {
  const { streets, satellite } = mapSources(config.map)
  routes.add(contract.getConfig, async () => ({
    version,
    server_name: config.serverName,
    map: {
      own_streets: await maps.list(),
      online: config.map.online,
      online_streets: streets,
      satellite: [...satellite],
      key: config.map.online ? config.map.key : null,
    },
    geocoder: config.geocoderUrl !== null,
    directions_url: config.directionsUrl,
    locales: [...locales],
    default_locale: config.defaultLanguage,
    google_client_id: config.googleClientId,
    oidc: config.oidc && { name: config.oidc.name },
    push_key: pushKey,
    registration: await getRegistration(pool),
    erasure: {
      chat_days: config.pingChatKeepDays,
      place_hours: config.placeKeepHours,
      ping_days: config.pingRetentionDays,
    },
    features: {
      confirm_email: config.confirmEmail,
      password_reset: config.mail !== null,
      google: config.googleClientId !== null,
      oidc: config.oidc !== null,
      passkeys: config.passkeys !== null,
      push: true,
      friend_links: true,
    },
  }))
}
