import { readFileSync } from 'node:fs'

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** Hither's own version, as stated in the root `package.json`. */
export const version: string = manifest.version
