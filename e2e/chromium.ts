import { existsSync } from 'node:fs'

/** Flags that render WebGL in software. */
export const drawingArgs = [
  '--no-sandbox',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist',
]

/** Flags that make pages cost less. */
export const lightArgs = [
  // Only the map needs GPU drawing. Without it, a page costs a third less.
  '--disable-gpu-rasterization',
  '--disable-gpu-compositing',
  // No page lives long enough for optimized machine code to pay for its compilation.
  '--js-flags=--no-opt --no-maglev',
  // Disables calls to the services of the browser vendor.
  '--disable-background-networking',
  '--disable-component-update',
]

/** The path of Debian's Chromium or of `CHROMIUM_PATH`; `null` if there is none. */
export function chromiumPath(exists: (path: string) => boolean = existsSync): string | null {
  return firstOf(exists, [
    process.env['CHROMIUM_PATH'],
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ])
}

/**
 * The path of Chromium's headless shell, or of the full browser if the shell is missing. A new page in the full browser costs
 * half a second more of a core. The shell supports neither notifications nor installation.
 */
export function chromiumShellPath(): string | null {
  return process.env['CHROMIUM_PATH']
    ? chromiumPath()
    : (firstOf(existsSync, ['/usr/bin/chromium-headless-shell']) ?? chromiumPath())
}

function firstOf(exists: (path: string) => boolean, places: readonly (string | undefined)[]): string | null {
  return places.find((place) => place !== undefined && exists(place)) ?? null
}
