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
const execute = database.execProtocolRawStream.bind(database)
database.execProtocolRawStream = (message, options) =>
  execute(message, {
    ...options,
    onRawData(data) {
      // It cannot write to its log, as on a full disk, and from here on would turn in a circle for ever.
      if (isPanic(data)) process.exit(1)
      options.onRawData(data)
    },
  })
const server = new PGLiteSocketServer({ db: database, path: socketPath, maxConnections: 4 })
await server.start()

parentPort?.once('message', async () => {
  await server.stop()
  await database.close()
  process.exit(0)
})
parentPort?.postMessage('ready')

/** An ErrorResponse of that severity, said twice. No row holds this: between two values there are four bytes. */
function isPanic(data: Uint8Array): boolean {
  return data[0] === 0x45 && Buffer.from(data).includes('SPANIC\0VPANIC\0')
}
