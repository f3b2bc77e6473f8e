import { defineConfig } from 'vitest/config'
import { hasRedis } from './test/redis-server.ts'
import { SlowFirst } from './test/slow-first.ts'

/**
 * Every file runs once, in the project `one node`, on the PostgreSQL that Hither brings: one server for the run, a database
 * for each file. Where there is a redis-server, the project `two nodes` runs those files again in which a second node could
 * change the outcome: what reaches open sockets, what ends sessions, what jobs do, and what happens at the same moment.
 */
const common = {
  environment: 'node',
  // A busy machine may need ten times as long as an idle one. The limits only end what would never end.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
  setupFiles: ['../scripts/cpu.setup.ts'],
  // A worker loads the server once, not again for each file: no test file changes a module for the files after it.
  isolate: false,
} as const

const oneNode = {
  ...common,
  name: 'one node',
  include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
  // A suite of its own (vitest.packages.config.ts).
  exclude: ['test/packages/**'],
}

const twoNodes = {
  ...common,
  name: 'two nodes',
  include: [
    'src/{accounts,circles,friend-links,friends,messages,notifications,pings,trips,users}/**/*.{live,model,races,concurrency,jobs}.test.ts',
    'src/auth/{devices,sessions}.test.ts',
    'src/moderation/suspensions.test.ts',
    'src/notifications/mail/deliveries.test.ts',
    'src/pings/pings.{change,idempotency,announced,visibility}.test.ts',
    'src/accounts/account.test.ts',
    'src/users/users.test.ts',
  ],
  // These need rows and locks of PostgreSQL only, which are the same for calls of one node and of two.
  exclude: [
    'src/circles/circles.{model,races}.test.ts',
    'src/friend-links/friend-links.races.test.ts',
    'src/friends/friends.{model,races}.test.ts',
    'src/notifications/push/pushes.races.test.ts',
    'src/pings/guests/guests.races.test.ts',
  ],
  globalSetup: ['./test/two-nodes.ts'],
}

export default defineConfig({
  test: {
    // Twice as many as a small machine has cores, because many files wait for processes that they start.
    maxWorkers: 4,
    sequence: { sequencer: SlowFirst },
    globalSetup: ['./test/memory-folder.ts', './test/postgres-server.ts'],
    projects: [oneNode, ...(hasRedis ? [twoNodes] : [])].map((test) => ({ test })),
  },
})
