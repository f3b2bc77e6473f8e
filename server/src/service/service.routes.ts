import * as contract from '@hither/contract/config.ts'
import { type Config } from '../config.ts'
import { mapSources } from '../maps/map-sources.ts'
import { type Maps } from '../maps/maps.service.ts'
import { getRegistration } from '../moderation/invitations.service.ts'
import { type Pool } from '../platform/database.ts'
import { type Routes } from '../platform/http.ts'
import { version } from '../platform/version.ts'

/** What a client must know to start. The reply lists what is public of the configuration, field by field. */
export function addServiceRoutes(routes: Routes, pool: Pool, config: Config, maps: Maps, pushKey: string): void {
  const { streets, satellite } = mapSources(config.map)
  routes.add(contract.getConfig, async () => ({
    version,
    map: {
      own_streets: await maps.list(),
      online: config.map.online,
      online_streets: streets,
      satellite: [...satellite],
      key: config.map.online ? config.map.key : null,
    },
    geocoder: config.geocoderUrl !== null,
    directions_url: config.directionsUrl,
    google_client_id: config.googleClientId,
    push_key: pushKey,
    registration: await getRegistration(pool),
    features: {
      confirm_email: config.confirmEmail,
      password_reset: config.mail !== null,
      google: config.googleClientId !== null,
      push: true,
    },
  }))
}
