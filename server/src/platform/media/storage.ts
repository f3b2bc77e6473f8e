import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { S3Location } from '../../config/services.ts'
import type { Config } from '../../config.ts'

/** Stores files. The caller creates keys, and each key names one content forever: no file is overwritten. */
export interface Storage {
  put(key: string, bytes: Uint8Array, mediaType: string): Promise<void>
  /** The stream starts when it is read; `null` if there is no such file. */
  get(key: string): Promise<Readable | null>
  /** Also resolves if there is no such file. */
  delete(key: string): Promise<void>
}

/**
 * The folder `files` of the data folder, or the configured bucket. The first call loads the library: the AWS SDK, which only a
 * bucket needs, takes 12 MB of memory.
 */
export function createStorage(config: Pick<Config, 'dataDir' | 'storage'>): Storage {
  let opened: Promise<Storage> | undefined
  const open = () => {
    opened ??= config.storage === null ? openFolder(join(config.dataDir, 'files')) : openBucket(config.storage)
    return opened
  }
  return {
    put: async (key, bytes, mediaType) => (await open()).put(key, bytes, mediaType),
    get: async (key) => (await open()).get(key),
    delete: async (key) => (await open()).delete(key),
  }
}

async function openFolder(folder: string): Promise<Storage> {
  const [{ Disk }, { FSDriver }] = await Promise.all([import('flydrive'), import('flydrive/drivers/fs')])
  const disk = new Disk(new FSDriver({ location: folder, visibility: 'private' }))
  return {
    async put(key, bytes) {
      // The driver would create the folder with permissions for all users.
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await disk.put(key, bytes)
    },
    async get(key) {
      const stream = await disk.getStream(key)
      try {
        // Waits until the file is known to exist, before a response starts.
        await once(stream, 'open')
        return stream
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw error
      }
    },
    delete: (key) => disk.delete(key),
  }
}

async function openBucket(location: S3Location): Promise<Storage> {
  const { endpoint, region, bucket, accessKeyId, secretAccessKey } = location
  const [{ Disk }, { S3Driver }] = await Promise.all([import('flydrive'), import('flydrive/drivers/s3')])
  const disk = new Disk(
    new S3Driver({
      endpoint,
      region,
      bucket,
      credentials: { accessKeyId, secretAccessKey },
      // The library would wait forever for a store that does not respond.
      maxAttempts: 2,
      requestHandler: {
        connectionTimeout: 3000,
        requestTimeout: 6000,
        throwOnRequestTimeout: true,
        socketTimeout: 6000,
      },
      visibility: 'private',
      // These options restrict the client to the part of the protocol that other stores support.
      forcePathStyle: true,
      supportsACL: false,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    }),
  )
  return {
    put: (key, bytes, mediaType) => disk.put(key, bytes, { contentType: mediaType, contentLength: bytes.byteLength }),
    async get(key) {
      try {
        return await disk.getStream(key)
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },
    delete: (key) => disk.delete(key),
  }
}

/** The driver wraps the error of the store. */
function isMissing(error: unknown): boolean {
  const { name, cause } = error as { name?: string; cause?: unknown }
  return name === 'NoSuchKey' || (cause !== undefined && isMissing(cause))
}
