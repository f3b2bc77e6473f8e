import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Readable } from 'node:stream'
import { type Config, type S3Location } from '../config.ts'

/** Where files are kept. Keys are made by the caller and name one file for ever: nothing is written over. */
export interface Storage {
  put(key: string, bytes: Uint8Array, mediaType: string): Promise<void>
  /** Flowing only once it is read; `null` where there is no such file. */
  get(key: string): Promise<Readable | null>
  /** Also fine where there is no such file. */
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
      // The driver would make the folder for everyone to look into.
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await disk.put(key, bytes)
    },
    async get(key) {
      const stream = await disk.getStream(key)
      try {
        // Until then nobody knows whether there is such a file, and an answer would have begun.
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
      // The library would wait for ever for a store that says nothing.
      maxAttempts: 2,
      requestHandler: {
        connectionTimeout: 3000,
        requestTimeout: 6000,
        throwOnRequestTimeout: true,
        socketTimeout: 6000,
      },
      visibility: 'private',
      // What follows keeps to the part of the protocol that stores other than Amazon's speak too.
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

/** The driver wraps the store's own error. */
function isMissing(error: unknown): boolean {
  const { name, cause } = error as { name?: string; cause?: unknown }
  return name === 'NoSuchKey' || (cause !== undefined && isMissing(cause))
}
