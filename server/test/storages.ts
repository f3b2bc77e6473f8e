import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

/** A file storage whose file names a test can list. */
export interface TestStorage {
  /** The settings with which a server uses this storage. */
  readonly environment: { readonly DATA_DIR: string; readonly STORAGE_URL?: string }
  listFiles(): Promise<string[]>
  /** The names of the files in the temporary upload folder. */
  listUploads(): Promise<string[]>
  close(): Promise<void>
}

export const storages: readonly { name: string; open: () => Promise<TestStorage> }[] = [
  { name: 'a folder', open: openFolder },
  { name: 'an S3 bucket', open: openBucket },
]

export async function openFolder(): Promise<TestStorage> {
  const folder = await mkdtemp(join(tmpdir(), 'hither-files-'))
  return {
    environment: { DATA_DIR: folder },
    listFiles: () => namesIn(join(folder, 'files')),
    listUploads: () => namesIn(join(folder, 'uploads')),
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

interface S3Server {
  run(): Promise<unknown>
  close(): Promise<void>
}

type S3ServerClass = new (options: {
  address: string
  port: number
  silent: boolean
  directory: string
  configureBuckets: { name: string }[]
}) => S3Server

async function openBucket(): Promise<TestStorage> {
  const folder = await openFolder()
  const directory = await mkdtemp(join(tmpdir(), 'hither-s3-'))
  const port = await freePort()
  // The package has no type declarations.
  const S3rver = createRequire(import.meta.url)('s3rver') as S3ServerClass
  const server = new S3rver({
    address: '127.0.0.1',
    port,
    silent: true,
    directory,
    configureBuckets: [{ name: 'pictures' }],
  })
  await server.run()
  return {
    environment: {
      ...folder.environment,
      STORAGE_URL: `s3://S3RVER:S3RVER@127.0.0.1:${port}/pictures?region=us-east-1&ssl=off`,
    },
    async listFiles() {
      const names = await namesIn(join(directory, 'pictures'))
      return names.flatMap((name) => (name.endsWith('._S3rver_object') ? [name.replace('._S3rver_object', '')] : []))
    },
    listUploads: folder.listUploads,
    async close() {
      await server.close()
      await folder.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}
