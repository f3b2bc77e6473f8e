import type { Config } from '../../config.ts'

/** The origins of the packaged mobile app's web view, on Android and on iOS. */
const shellOrigins = ['https://localhost', 'capacitor://localhost']

/** Origins other than the page's own host that may call the API and the live channel. */
export function allowedOrigins(config: Config): ReadonlySet<string> {
  return new Set([new URL(config.publicUrl).origin, ...shellOrigins, ...config.corsOrigins])
}

/**
 * Checks the origin for the live channel, since browsers do not apply CORS to WebSockets. Allows pages of the called
 * host and the origins above. A caller without an origin is not a browser, and needs a token like every caller.
 */
export function isAllowedOrigin(config: Config): (origin: string | undefined, host: string | undefined) => boolean {
  const others = allowedOrigins(config)
  return (origin, host) => {
    if (origin === undefined || others.has(origin)) return true
    return host !== undefined && URL.canParse(origin) && new URL(origin).host === host
  }
}
