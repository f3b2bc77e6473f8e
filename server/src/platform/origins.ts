import { type Config } from '../config.ts'

/** Where the packaged mobile app's web view says it comes from, on Android and on iOS. */
const shellOrigins = ['https://localhost', 'capacitor://localhost']

/** Origins other than a page's own host that may call and listen. */
export function allowedOrigins(config: Config): ReadonlySet<string> {
  return new Set([new URL(config.publicUrl).origin, ...shellOrigins, ...config.corsOrigins])
}
