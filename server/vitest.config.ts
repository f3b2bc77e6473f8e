import { defineConfig } from 'vitest/config'

/**
 * One suite, two databases: every file runs on the embedded one, and again on a PostgreSQL server. What only one of them
 * can show says so in its name: `*.postgres.test.ts` (two connections at once), `*.embedded.test.ts` (the data folder).
 */
const common = { environment: 'node', include: ['src/**/*.test.ts'], testTimeout: 30_000, hookTimeout: 60_000 } as const

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      { test: { ...common, name: 'embedded', exclude: ['src/**/*.postgres.test.ts'] } },
      {
        test: {
          ...common,
          name: 'postgres',
          exclude: ['src/**/*.embedded.test.ts'],
          globalSetup: ['./test/postgres-server.ts'],
        },
      },
    ],
  },
})
