import { defineConfig } from 'vitest/config'
import { hasRedis } from './test/redis-server.ts'

/**
 * One suite, two databases: every file that asks for one runs on the embedded database, and again on a PostgreSQL server. What
 * only one of them can show says so in its name: `*.postgres.test.ts` (two connections at once), `*.embedded.test.ts` (the data
 * folder). Where there is a redis-server, what people do with one another runs on PostgreSQL as two nodes.
 */
const common = { environment: 'node', include: ['src/**/*.test.ts'], testTimeout: 30_000, hookTimeout: 60_000 } as const

const social = ['auth', 'friends', 'pings', 'messages', 'users', 'notifications', 'moderation'].map(
  (feature) => `src/${feature}/**/*.test.ts`,
)
/** Of these the database changes nothing. */
const withoutDatabase = [
  'src/{geo,maps,realtime,app-links}/**/*.test.ts',
  'src/**/*.rules.test.ts',
  'src/config.test.ts',
  'src/platform/{redis,load-shedder,slow-clients,surface,limits,web-app,images,answers,hostile}.test.ts',
  'src/previews/preview-picture.test.ts',
]
const notForPostgres = ['src/**/*.embedded.test.ts', ...withoutDatabase]

const embedded = {
  ...common,
  name: 'embedded',
  exclude: ['src/**/*.postgres.test.ts'],
  globalSetup: ['./test/embedded-template.ts'],
}

const postgres = {
  ...common,
  name: 'postgres',
  exclude: [...notForPostgres, ...(hasRedis ? social : [])],
  globalSetup: ['./test/postgres-server.ts'],
}

const twoNodes = {
  ...common,
  name: 'two nodes',
  include: social,
  exclude: notForPostgres,
  globalSetup: ['./test/postgres-server.ts', './test/two-nodes.ts'],
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [embedded, postgres, ...(hasRedis ? [twoNodes] : [])].map((test) => ({ test })),
  },
})
