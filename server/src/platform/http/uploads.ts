import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { MultipartFile } from '@fastify/multipart'
import type { Operation } from '@hither/contract/operation.ts'
import type { FastifyRequest } from 'fastify'
import { type ConcurrencyLimiter, createConcurrencyLimiter } from '../async/concurrency-limiter.ts'
import { createLimiterPerUser } from '../async/limiter-per-user.ts'
import type { AssertRoom } from '../data-folder/free-space.ts'
import { fieldError, InvalidInput, Refusal } from '../errors/refusal.ts'

/** The file of an upload request. Nothing of it is read before the handler requests it. */
export interface Upload {
  /** Calls `use` with the path of a temporary file that is deleted when `use` has settled. May be called once. */
  read<T>(use: (path: string) => Promise<T>): Promise<T>
}

export interface Uploads {
  /** `userId` is the user whose share the upload counts against. */
  of(request: FastifyRequest, limits: NonNullable<Operation['upload']>, userId: string): Upload
  /** Removes the files of uploads that were started before this time and interrupted by a crash. */
  sweep(before: Date): Promise<void>
}

export const uploadLimits = {
  /** Limits the disk space of uploads in progress: this number, of ten megabytes at most. */
  atOnce: 64,
  /** The limit of one user, so that no user takes the share of all. Further uploads of the user wait unread. */
  atOncePerUser: 4,
  waitingPerUser: 20,
  /** A client that sends nothing for this long is disconnected. */
  idleMs: 10_000,
} as const

/** The limit for everything except the file: boundaries, headers and ignored fields. */
const framingBytes = 16 * 1024

const file = fieldError('body', 'file')

/** Writes uploads to `folder`, which only this user can enter, so that their size does not affect the memory. */
export function createUploads(folder: string, assertRoom: AssertRoom, idleMs: number = uploadLimits.idleMs): Uploads {
  const all = createConcurrencyLimiter({ atOnce: uploadLimits.atOnce, waiting: 0 })
  const perUser = createLimiterPerUser({
    atOnce: uploadLimits.atOncePerUser,
    waiting: uploadLimits.waitingPerUser,
  })
  return {
    of: (request, limits, userId) => ({
      read: (use) =>
        perUser.run(userId, () => receive({ request, limits, folder, limiter: all, assertRoom, idleMs }, use)),
    }),
    async sweep(before) {
      for (const name of await namesIn(folder)) {
        const path = join(folder, name)
        const found = await stat(path).catch(() => null)
        if (found && found.mtime < before) await rm(path, { force: true })
      }
    },
  }
}

interface Receiving {
  readonly request: FastifyRequest
  readonly limits: NonNullable<Operation['upload']>
  readonly folder: string
  readonly limiter: ConcurrencyLimiter
  readonly assertRoom: AssertRoom
  readonly idleMs: number
}

async function receive<T>(receiving: Receiving, use: (path: string) => Promise<T>): Promise<T> {
  const { request, limits, folder, limiter, assertRoom, idleMs } = receiving
  if (!request.isMultipart()) throw new Refusal('unsupported_media_type')
  // The client may have disconnected while the upload waited: reading would never end.
  if (request.raw.destroyed && !request.raw.complete)
    throw new InvalidInput(fieldError('body')('multipart_incomplete', 'multipart_invalid'))
  if (Number(request.headers['content-length']) > limits.maxBytes + framingBytes) throw new Refusal(limits.tooLarge)
  await assertRoom()
  return limiter.run(async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, randomUUID())
    try {
      // No listener is set, so that Node closes the connection after this timeout.
      request.raw.setTimeout(idleMs)
      await writeOnlyFile(request, limits, path)
      request.raw.setTimeout(request.server.server.timeout)
      return await use(path)
    } finally {
      await rm(path, { force: true })
    }
  })
}

async function writeOnlyFile(request: FastifyRequest, limits: Receiving['limits'], path: string): Promise<void> {
  let hasFile = false
  for await (const part of partsOf(request, limits.maxBytes)) {
    if (part.type !== 'file') continue
    if (part.fieldname !== 'file' || hasFile) {
      part.file.destroy()
      throw new InvalidInput(
        hasFile ? file('too_many_files', 'too_many_files') : file('unexpected_file', 'unexpected_file'),
      )
    }
    hasFile = true
    await writeFile(part, limits, path)
  }
  if (!hasFile) throw new InvalidInput(file('file_missing', 'required'))
}

async function* partsOf(request: FastifyRequest, maxBytes: number) {
  try {
    yield* request.parts({ limits: { fileSize: maxBytes, files: 2, fields: 8, fieldSize: 1024, headerPairs: 32 } })
  } catch {
    throw new InvalidInput(fieldError('body')('multipart_invalid', 'multipart_invalid'))
  }
}

async function writeFile({ file: stream }: MultipartFile, limits: Receiving['limits'], path: string): Promise<void> {
  const cut = new AbortController()
  // Otherwise the parser would read and discard the rest of the file before the limit is reported.
  stream.once('limit', () => cut.abort())
  try {
    await pipeline(stream, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal: cut.signal })
  } catch (error) {
    if (cut.signal.aborted) throw new Refusal(limits.tooLarge)
    // A full disk is an error of the server; any other error means that the body is incomplete or malformed.
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error
    throw new InvalidInput(fieldError('body')('multipart_invalid', 'multipart_invalid'))
  }
  if (stream.truncated) throw new Refusal(limits.tooLarge)
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
