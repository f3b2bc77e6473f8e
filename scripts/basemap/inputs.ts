import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

// The data packages are dependencies of the web app.
const require = createRequire(new URL('../../web/package.json', import.meta.url))

/** Reads a JSON file of a package, such as `world-atlas/countries-10m.json`. */
export function readPackageFile<T>(path: string): T {
  return JSON.parse(readFileSync(require.resolve(path), 'utf8')) as T
}

export function requirePackage<T>(name: string): T {
  return require(name) as T
}
