import * as contract from '@hither/contract/config.ts'
import { type Config } from '../config.ts'
import { type Routes } from '../platform/http.ts'
import { version } from '../platform/version.ts'

/** What a client must know to start. The reply lists what is public of the configuration, field by field. */
export function addServiceRoutes(routes: Routes, config: Config): void {
  routes.add(contract.getConfig, async () => ({
    version,
    map: {
      style_url: config.map.styleUrl,
      satellite_url: config.map.satelliteUrl,
      key: config.map.key,
      online: config.map.online,
    },
    geocoder: false,
    google_client_id: config.googleClientId,
    push_key: null,
    features: {
      confirm_email: config.confirmEmail,
      password_reset: config.mail !== null,
      google: config.googleClientId !== null,
      push: false,
    },
  }))
}
