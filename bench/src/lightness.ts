import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { startPostgres } from '../../server/test/postgres.ts'
import { startHither } from './hither.ts'
import { type Measured, median } from './process.ts'
import { printTable } from './table.ts'

/**
 * `npm run bench:lightness`: measures what the server process saves by lazy loading of libraries, by its compile cache, and
 * by fewer malloc arenas. Each row is the server without one of these; runs of all rows alternate. It measures CPU time,
 * because elapsed time depends on other load on the machine. Linux only.
 */
interface Variant {
  readonly name: string
  /** Modules that are loaded before the server, as static imports would be. */
  readonly modules?: readonly string[]
  /** A script that uses the loaded `modules`. */
  readonly script?: string
  readonly environment?: Record<string, string>
  /** The path of a request that causes lazy initialization. */
  readonly path?: string
}

const places = fileURLToPath(new URL('../../server/src/geo/places.ts', import.meta.url))

const variants: readonly Variant[] = [
  { name: 'as it is' },
  { name: 'AWS SDK at the start', modules: ['flydrive/drivers/s3'] },
  { name: 'ioredis at the start', modules: ['ioredis'] },
  { name: 'nodemailer at the start', modules: ['nodemailer'] },
  { name: 'jose at the start', modules: ['jose'] },
  { name: 'sharp at the start', modules: ['sharp'] },
  { name: 'web-push at the start', modules: ['web-push'] },
  { name: 'flydrive at the start', modules: ['flydrive'] },
  { name: 'OpenAPI document built', path: '/api/openapi.json' },
  {
    name: 'town index read',
    script: 'globalThis.places = modules[0].createPlaces(); await places.near(40.7, -74)',
    modules: [places],
  },
  {
    name: 'all modules above at the start',
    modules: ['flydrive/drivers/s3', 'ioredis', 'nodemailer', 'jose', 'sharp', 'web-push', 'flydrive'],
  },
  { name: 'without the compile cache', environment: { NODE_DISABLE_COMPILE_CACHE: '1' } },
  { name: 'MALLOC_ARENA_MAX=2', environment: { MALLOC_ARENA_MAX: '2' } },
]
const rounds = Number(process.argv[2] ?? 5)

const server = fileURLToPath(new URL('../../server/package.json', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'hither-lightness-'))
const postgres = await startPostgres()
const results = variants.map(() => ({ cpu: [] as number[], pss: [] as number[], rss: [] as number[] }))

try {
  // The first start creates the tables and fills the compile cache.
  const first = await startServer({ name: 'first' })
  await ready(first)
  await first.stop()
  for (let round = 0; round < rounds; round++)
    for (const [index, variant] of variants.entries()) {
      const server = await startServer(variant)
      await ready(server)
      const cpu = await server.cpuMicroseconds()
      if (variant.path) await (await fetch(server.url + variant.path)).arrayBuffer()
      // Waits until the garbage of the startup has been collected.
      await new Promise((resolve) => setTimeout(resolve, 2000))
      results[index]?.cpu.push(cpu / 1e6)
      results[index]?.pss.push((await server.proportionalBytes()) / 1e6)
      results[index]?.rss.push((await server.residentBytes()) / 1e6)
      await server.stop()
    }
} finally {
  await postgres.close()
  await rm(folder, { recursive: true, force: true })
}

const [base] = results
printTable(`The server process two seconds after its start, on PostgreSQL, median of ${rounds}`, [
  ['', 'CPU s to the first answer', 'PSS MB', 'RSS MB', 'more CPU ms', 'more PSS MB'],
  ...results.map(({ cpu, pss, rss }, index) => [
    variants[index]?.name ?? '',
    median(cpu).toFixed(2),
    median(pss).toFixed(1),
    median(rss).toFixed(1),
    ((median(cpu) - median(base?.cpu ?? [])) * 1000).toFixed(0),
    (median(pss) - median(base?.pss ?? [])).toFixed(1),
  ]),
])

function startServer({ modules = [], script = '', environment = {} }: Variant): Promise<Measured> {
  // Resolves the modules from the folder of the server.
  const urls = modules.map((name) => pathToFileURL(createRequire(server).resolve(name)).href)
  const code = `const modules = []; for (const url of ${JSON.stringify(urls)}) modules.push(await import(url)); ${script}`
  const nodeOptions = ['--import', `data:text/javascript,${encodeURIComponent(code)}`]
  return startHither(
    {
      DATABASE_URL: `${postgres.url}/postgres`,
      AUTH_SECRET: 'a secret for benchmarks, long enough',
      DATA_DIR: folder,
      LOG_LEVEL: 'warn',
      MAP_ONLINE: 'off',
      ...environment,
    },
    { nodeOptions },
  )
}

async function ready({ url }: Measured): Promise<void> {
  const { status } = await fetch(`${url}/readyz`)
  if (status !== 200) throw new Error(`The server is not ready: ${status}`)
}
