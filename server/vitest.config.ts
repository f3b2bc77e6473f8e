import { defineConfig } from 'vitest/config'
import { hasRedis } from './test/redis-server.ts'

/**
 * One suite, two databases: every file runs on the embedded one, and again on a PostgreSQL server. What only one of them
 * can show says so in its name: `*.postgres.test.ts` (two connections at once), `*.embedded.test.ts` (the data folder).
 * Where there is a redis-server, what people do with one another runs a third time, on two nodes.
 */
const common = { environment: 'node', include: ['src/**/*.test.ts'], testTimeout: 30_000, hookTimeout: 60_000 } as const

const social = ['auth', 'friends', 'pings', 'messages', 'users', 'notifications', 'moderation']

const twoNodes = {
  ...common,
  name: 'two nodes',
  include: social.map((feature) => `src/${feature}/**/*.test.ts`),
  exclude: ['src/**/*.embedded.test.ts', 'src/**/*.rules.test.ts'],
  globalSetup: ['./test/postgres-server.ts', './test/two-nodes.ts'],
}

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
      ...(hasRedis ? [{ test: twoNodes }] : []),
    ],
  },
})
