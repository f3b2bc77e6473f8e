import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../server/test/postgres.ts'
import { hasRedis, openRedis } from '../server/test/redis-server.ts'
import { root, start } from './run.ts'
import { serverOptions } from './server-options.ts'
import { buildWebIfStale } from './web-build.ts'

/**
 * `npm run cluster`: starts two nodes with one PostgreSQL and one Redis behind a round-robin proxy, which skips an unavailable
 * node. It is for local trials: all data is deleted when it stops.
 */
if (!hasRedis) {
  process.stderr.write('redis-server is not installed (on Debian: apt-get install redis-server).\n')
  process.exit(1)
}
const port = Number(process.env['PORT'] ?? 3000)
const nodePorts = [port + 1, port + 2]

await buildWebIfStale()
const folder = await mkdtemp(join(tmpdir(), 'hither-cluster-'))
const [database, redis] = [await startPostgres(), await openRedis()]

const secret = crypto.randomUUID() + crypto.randomUUID()
const nodes = nodePorts.map((nodePort) =>
  start(process.execPath, [...serverOptions, `${root}server/src/main.ts`], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      PORT: String(nodePort),
      HOST: '127.0.0.1',
      PUBLIC_URL: `http://localhost:${port}`,
      // The nodes share pictures through this folder. Nodes on several machines share a bucket instead.
      DATA_DIR: folder,
      DATABASE_URL: `${database.url}/hither`,
      REDIS_URL: redis.url,
      AUTH_SECRET: secret,
      TRUST_PROXY: 'loopback',
      LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn',
    },
  }),
)
await Promise.all(nodePorts.map(untilReady))

let turn = 0
const proxy = createServer((client) => passOn(client, turn++, nodePorts.length))
proxy.listen(port, '127.0.0.1')

process.stdout.write(`
  Two nodes of Hither are running.

    Open     http://localhost:${port}
    Nodes    ${nodes.map(({ pid }, index) => `http://localhost:${nodePorts[index]} (process ${pid})`).join(', ')}
             End one with kill -9 and see that nobody notices.
    Stop     Ctrl+C; all data is deleted

`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)

async function stop() {
  proxy.close()
  await Promise.all(
    nodes.map(async (node) => {
      if (node.exitCode !== null || node.signalCode !== null) return
      const ended = new Promise((resolve) => node.once('exit', resolve))
      node.kill('SIGTERM')
      await ended
    }),
  )
  await Promise.all([database.close(), redis.close()])
  await rm(folder, { recursive: true, force: true })
  process.exit(0)
}

/** Connects the client to a node, trying each node once. Closes the connection if none is available. */
function passOn(client: Socket, index: number, tries: number) {
  const node = connect(nodePorts[index % nodePorts.length] ?? 0, '127.0.0.1')
  const refuse = () => (tries > 1 ? passOn(client, index + 1, tries - 1) : client.destroy())
  node.once('error', refuse)
  node.once('connect', () => {
    node.off('error', refuse)
    node.on('error', () => client.destroy())
    client.on('error', () => node.destroy())
    client.pipe(node).pipe(client)
  })
}

async function untilReady(nodePort: number): Promise<void> {
  for (;;) {
    const isReady = await fetch(`http://127.0.0.1:${nodePort}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
