import { type Config } from '../config.ts'

/** Where the packaged mobile app's web view says it comes from, on Android and on iOS. */
const shellOrigins = ['https://localhost', 'capacitor://localhost']

/** Origins other than a page's own host that may call and listen. */
export function allowedOrigins(config: Config): ReadonlySet<string> {
  return new Set([new URL(config.publicUrl).origin, ...shellOrigins, ...config.corsOrigins])
}

/**
 * For the live channel, where the browser asks nobody: pages of the host that is being called, and those above. A caller
 * without an origin is no browser, and has to bring a token like everyone.
 */
export function isAllowedOrigin(config: Config): (origin: string | undefined, host: string | undefined) => boolean {
  const others = allowedOrigins(config)
  return (origin, host) => {
    if (origin === undefined || others.has(origin)) return true
    return host !== undefined && URL.canParse(origin) && new URL(origin).host === host
  }
}
