import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'
import { freePort } from '../server/test/free-port.ts'
import { chromiumPath, chromiumShellPath, drawingArgs } from './chromium.ts'

// Workers load this file too and inherit both; only the first process chooses them. It ends after the server.
process.env['E2E_PORT'] ??= String(await freePort())
if (process.env['E2E_DATA_DIR'] === undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'hither-e2e-'))
  process.env['E2E_DATA_DIR'] = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
}
const port = Number(process.env['E2E_PORT'])

const args = [
  ...drawingArgs,
  // The map alone is drawn that way; pages cost a third less without.
  '--disable-gpu-rasterization',
  '--disable-gpu-compositing',
  // No calls to the browser maker's services.
  '--disable-background-networking',
  '--disable-component-update',
]

/** What the engine alone does not have. */
const notifying = '**/notifications.spec.ts'

function launchedFrom(executablePath: string | null) {
  return { launchOptions: { executablePath: executablePath ?? '/usr/bin/chromium', args } }
}

const main = fileURLToPath(new URL('../server/src/main.ts', import.meta.url))

export default defineConfig({
  testDir: 'tests',
  globalSetup: './global-setup.ts',
  outputDir: '../.tmp/e2e',
  workers: 2,
  fullyParallel: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: process.env['CI'] === 'true',
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    browserName: 'chromium',
    viewport: { width: 390, height: 844 },
    locale: 'en-GB',
    timezoneId: 'America/New_York',
    contextOptions: { reducedMotion: 'reduce' },
    // What it answers from its own stores, a test cannot fail on purpose. The suite about it turns it on.
    serviceWorkers: 'block',
    // A trace of each test costs time; `--trace on` where one is wanted.
    screenshot: 'only-on-failure',
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
      // Every person of every test comes from one address.
      RATE_LIMITS: 'off',
      // No test depends on what is elsewhere.
      MAP_ONLINE: 'off',
    },
    stdout: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 30_000 },
  },
})
