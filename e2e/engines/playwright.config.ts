import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'
import { freePort } from '../../server/test/free-port.ts'
import type { EngineOptions } from './fixtures.ts'
import { engines } from './installed.ts'

// Workers also load this file and inherit both variables. Only the main process sets them, and it ends after the server.
process.env['ENGINES_PORT'] ??= String(await freePort())
if (process.env['ENGINES_DATA_DIR'] === undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'hither-engines-'))
  process.env['ENGINES_DATA_DIR'] = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
}
const base = `http://127.0.0.1:${process.env['ENGINES_PORT']}`

/** Smoke stories in the engines of other browsers. Playwright runs them, but drives none of these engines. */
export default defineConfig<object, EngineOptions>({
  testDir: '.',
  outputDir: '../../.tmp/engines',
  // The stories of an engine run one after the other, and the engines side by side.
  workers: 3,
  timeout: 300_000,
  expect: { timeout: 60_000 },
  forbidOnly: process.env['CI'] === 'true',
  use: { baseURL: base },
  projects: engines()
    .filter(({ missing }) => missing === null)
    .map(({ name }) => ({ name, use: { engine: name } })),
  webServer: {
    command: `"${process.execPath}" "${fileURLToPath(new URL('../../server/src/main.ts', import.meta.url))}"`,
    url: `${base}/readyz`,
    env: {
      PORT: process.env['ENGINES_PORT'],
      DATA_DIR: process.env['ENGINES_DATA_DIR'],
      PUBLIC_URL: base,
      LOG_LEVEL: 'warn',
      // All users of all tests have the same network address.
      RATE_LIMITS: 'off',
      // Tests must not depend on external services.
      MAP_ONLINE: 'off',
    },
    stdout: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 30_000 },
  },
})
