import { defineConfig } from 'vitest/config'
import { hasRedis } from './test/redis-server.ts'

/**
 * Every file runs once, in the project `one node`, on the PostgreSQL that Hither brings: one server for the run, a database
 * for each file. Where there is a redis-server, the project `two nodes` runs those files again in which a second node could
 * change the outcome: what reaches open sockets, what happens at the same moment, what ends sessions, and what jobs do.
 */
const common = {
  environment: 'node',
  testTimeout: 30_000,
  hookTimeout: 60_000,
  // What a test waits for comes at once, except on a machine that has much else to do.
  expect: { poll: { timeout: 20_000 } },
} as const

const oneNode = { ...common, name: 'one node', include: ['src/**/*.test.ts'] }

const twoNodes = {
  ...common,
  name: 'two nodes',
  include: [
    'src/{friends,messages,moderation,notifications,pings,users}/*.{live,model,races,at-once,jobs}.test.ts',
    'src/auth/{devices,sessions}.test.ts',
    'src/moderation/{reports,suspensions}.test.ts',
    'src/notifications/deliveries.test.ts',
    'src/pings/pings.{change,repeated,told,visibility}.test.ts',
    'src/users/{account,users}.test.ts',
  ],
  globalSetup: ['./test/two-nodes.ts'],
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    globalSetup: ['./test/postgres-server.ts'],
    projects: [oneNode, ...(hasRedis ? [twoNodes] : [])].map((test) => ({ test })),
  },
})
