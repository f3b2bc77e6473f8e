import { existsSync } from 'node:fs'

/** Draws the map without a graphics card. */
export const drawingArgs = [
  '--no-sandbox',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist',
]

/** Debian's Chromium, or the one that `CHROMIUM_PATH` names; `null` where there is none. */
export function chromiumPath(): string | null {
  return firstOf([
    process.env['CHROMIUM_PATH'],
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ])
}

/**
 * Its engine without the browser around it, in which each new page costs half a second of a core; the whole browser where that
 * is missing. It has neither notifications nor a way to install an app.
 */
export function chromiumShellPath(): string | null {
  return process.env['CHROMIUM_PATH']
    ? chromiumPath()
    : (firstOf(['/usr/bin/chromium-headless-shell']) ?? chromiumPath())
}

function firstOf(places: readonly (string | undefined)[]): string | null {
  return places.find((place) => place !== undefined && existsSync(place)) ?? null
}
