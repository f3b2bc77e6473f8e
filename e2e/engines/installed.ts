import { existsSync } from 'node:fs'
import { chromiumPath } from '../chromium.ts'

export type EngineName = 'chromium' | 'firefox' | 'webkit'

interface Engine {
  readonly name: EngineName
  /** What is not installed, as a sentence without its period; `null` if the engine can run. */
  readonly missing: string | null
}

const display = ['/usr/bin/Xvfb', '/usr/bin/openbox', '/usr/bin/dbus-run-session']
const miniBrowsers = ['x86_64', 'aarch64'].map((cpu) => `/usr/lib/${cpu}-linux-gnu/webkit2gtk-4.1/MiniBrowser`)

export const firefoxPath = '/usr/bin/firefox-esr'
export const webkitDriverPath = '/usr/bin/WebKitWebDriver'
export const miniBrowserPath = miniBrowsers.find((path) => existsSync(path)) ?? ''

/** The engines that the smoke stories run in, as Debian packages them. */
export function engines(exists: (path: string) => boolean = existsSync): Engine[] {
  const lacks = (paths: readonly string[], packages: string) =>
    paths.every(exists) ? null : `on Debian: apt-get install ${packages}`
  return [
    { name: 'chromium', missing: chromiumPath(exists) === null ? 'on Debian: apt-get install chromium' : null },
    { name: 'firefox', missing: lacks([firefoxPath, ...display], 'firefox-esr xvfb openbox dbus') },
    {
      name: 'webkit',
      missing: lacks([webkitDriverPath, miniBrowserPath, ...display], 'webkit2gtk-driver xvfb openbox dbus'),
    },
  ]
}

/** A sentence about each engine that is not installed. */
export function missingEngines(all: readonly Engine[]): string[] {
  return all.flatMap(({ name, missing }) =>
    missing === null ? [] : [`The stories are not run in ${name}, which is not installed (${missing}).`],
  )
}
