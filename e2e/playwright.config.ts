import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'
import { freePort } from '../server/test/free-port.ts'
import { chromiumPath, chromiumShellPath, drawingArgs, lightArgs } from './chromium.ts'

// Workers also load this file and inherit both variables. Only the main process sets them, and it ends after the server.
process.env['E2E_PORT'] ??= String(await freePort())
if (process.env['E2E_DATA_DIR'] === undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'hither-e2e-'))
  process.env['E2E_DATA_DIR'] = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
}
const port = Number(process.env['E2E_PORT'])

const args = [
  ...drawingArgs,
  ...lightArgs,
  // A name in a local network, where pages are without HTTPS.
  '--host-resolver-rules=MAP hither.lan 127.0.0.1',
]

/**
 * Tests in which a service worker uses notifications, which the headless shell does not support: also when it deletes those of
 * an account that is signed out. In the shell, a page that is opened just after that is sometimes not loaded without a network.
 */
const notifying = '**/{notifications,outbox,pwa}.spec.ts'

function launchedFrom(executablePath: string | null) {
  return { launchOptions: { executablePath: executablePath ?? '/usr/bin/chromium', args } }
}

const main = fileURLToPath(new URL('../server/src/main.ts', import.meta.url))

export default defineConfig({
  testDir: 'tests',
  globalSetup: './global-setup.ts',
  outputDir: '../.tmp/e2e',
  workers: 3,
  fullyParallel: true,
  // The expected state is reached at once, except on a busy machine.
  timeout: 120_000,
  expect: { timeout: 20_000, toPass: { intervals: [20] } },
  forbidOnly: process.env['CI'] === 'true',
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    browserName: 'chromium',
    viewport: { width: 390, height: 844 },
    locale: 'en-GB',
    timezoneId: 'America/New_York',
    contextOptions: { reducedMotion: 'reduce' },
    // A response from the cache of a service worker cannot be made to fail. The tests of the service worker allow it.
    serviceWorkers: 'block',
    // Traces of every test would cost time. Use `--trace on` for one.
  },
  projects: [
    { name: 'engine', testIgnore: notifying, use: launchedFrom(chromiumShellPath()) },
    { name: 'browser', testMatch: notifying, use: launchedFrom(chromiumPath()) },
  ],
  webServer: {
    command: `"${process.execPath}" "${main}"`,
    url: `http://127.0.0.1:${port}/readyz`,
    env: {
      PORT: String(port),
      DATA_DIR: process.env['E2E_DATA_DIR'],
      PUBLIC_URL: `http://127.0.0.1:${port}`,
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
