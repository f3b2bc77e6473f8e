import { openAsBlob } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'

/** The embedded database's thread: says `ready` once it listens, and closes its files when it is told to stop. */
const { dataDir, socketPath, template } = workerData as { dataDir: string; socketPath: string; template?: string }
const database = await PGlite.create({
  dataDir,
  ...(template !== undefined && { loadDataDir: await openAsBlob(template) }),
})
const server = new PGLiteSocketServer({ db: database, path: socketPath, maxConnections: 4 })
await server.start()

parentPort?.once('message', async () => {
  await server.stop()
  await database.close()
  process.exit(0)
})
parentPort?.postMessage('ready')
