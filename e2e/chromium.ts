import { existsSync } from 'node:fs'

/** Debian's Chromium, or the one that `CHROMIUM_PATH` names; `null` where there is none. */
export function chromiumPath(): string | null {
  const places = [
    process.env['CHROMIUM_PATH'],
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ]
  return places.find((place) => place !== undefined && existsSync(place)) ?? null
}
