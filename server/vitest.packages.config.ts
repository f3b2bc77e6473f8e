import { defineConfig } from 'vitest/config'

/** The suite `packages`: the container image, built and run as root in a Debian root. */
export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/packages/**/*.test.ts'],
    globalSetup: ['./test/packages/setup.ts'],
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 900_000,
  },
})
