import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type MultipartFile } from '@fastify/multipart'
import { type Operation } from '@hither/contract/operation.ts'
import { type FastifyReply, type FastifyRequest } from 'fastify'
import { createLine, type Line } from './line.ts'
import { fault, InvalidInput, Refusal } from './refusal.ts'

/** The file that a call brings, still on its way: nothing of it is read before a handler asks. */
export interface Upload {
  /** Hands over the path of a file that is gone when `use` has ended, however it ends. Once only. */
  read<T>(use: (path: string) => Promise<T>): Promise<T>
}

export interface Uploads {
  /** `userId` is the user whose share the upload counts against. */
  of(request: FastifyRequest, limits: NonNullable<Operation['upload']>, userId: string): Upload
  /** Removes what a crash left behind: files that were begun before then. */
  sweep(before: Date): Promise<void>
}

export const uploadLimits = {
  /** Bounds what uploads under way may take of the disk: so many, of ten megabytes at most. */
  atOnce: 64,
  /** Of one user, so that nobody takes the places of all. The others of the user wait, and are not read meanwhile. */
  atOncePerUser: 4,
  waitingPerUser: 20,
  /** A sender that sends nothing for this long loses its connection. */
  idleMs: 10_000,
} as const

/** What may stand around the file: the boundaries, the part's headers, a few fields that nobody asked for. */
const framingBytes = 16 * 1024
/** A sender that is answered before its end may go on this long; what it sends is dropped. */
const lingerMs = 2000

const file = fault('body', 'file')

/** Uploads go to `folder`, which only this user may enter, so that their size never matters to the memory. */
export function createUploads(folder: string, idleMs: number = uploadLimits.idleMs): Uploads {
  const all = createLine({ atOnce: uploadLimits.atOnce, waiting: 0 })
  const perUser = createLinePerUser()
  return {
    of: (request, limits, userId) => ({
      read: (use) => perUser.run(userId, () => receive({ request, limits, folder, line: all, idleMs }, use)),
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

/** A line for each user with uploads, removed with the last of them. */
function createLinePerUser() {
  const lines = new Map<string, { readonly line: Line; uploads: number }>()
  return {
    async run<T>(userId: string, work: () => Promise<T>): Promise<T> {
      const { atOncePerUser, waitingPerUser } = uploadLimits
      const newLine = () => createLine({ atOnce: atOncePerUser, waiting: waitingPerUser })
      const own = lines.get(userId) ?? { line: newLine(), uploads: 0 }
      lines.set(userId, own)
      own.uploads++
      try {
        return await own.line.run(work)
      } finally {
        own.uploads--
        if (own.uploads === 0) lines.delete(userId)
      }
    },
  }
}

/**
 * Ends the connection of a sender that goes on long after the answer. Not at once: a connection cut while data is still
 * coming takes the answer with it.
 */
export function endLateSenders(request: FastifyRequest, reply: FastifyReply): void {
  reply.raw.once('finish', () => {
    if (request.raw.complete) return
    const timer = setTimeout(() => request.raw.socket.destroy(), lingerMs).unref()
    request.raw.once('close', () => clearTimeout(timer))
  })
}

interface Receiving {
  readonly request: FastifyRequest
  readonly limits: NonNullable<Operation['upload']>
  readonly folder: string
  readonly line: Line
  readonly idleMs: number
}

async function receive<T>(receiving: Receiving, use: (path: string) => Promise<T>): Promise<T> {
  const { request, limits, folder, line, idleMs } = receiving
  if (!request.isMultipart()) throw new Refusal('unsupported_media_type')
  // The sender may have gone while the upload waited: reading would never end.
  if (request.raw.destroyed && !request.raw.complete)
    throw new InvalidInput(fault('body')('The body ended too early', 'multipart_invalid'))
  if (Number(request.headers['content-length']) > limits.maxBytes + framingBytes) throw new Refusal(limits.tooLarge)
  return line.run(async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, randomUUID())
    try {
      // Nobody listens to the end of this time, so that Node closes the connection.
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
        hasFile
          ? file('Only one file can be sent', 'too_many_files')
          : file('The file must be sent in the field "file"', 'unexpected_file'),
      )
    }
    hasFile = true
    await writeFile(part, limits, path)
  }
  if (!hasFile) throw new InvalidInput(file('Field required', 'required'))
}

async function* partsOf(request: FastifyRequest, maxBytes: number) {
  try {
    yield* request.parts({ limits: { fileSize: maxBytes, files: 2, fields: 8, fieldSize: 1024, headerPairs: 32 } })
  } catch {
    throw new InvalidInput(fault('body')('The body is not valid multipart form data', 'multipart_invalid'))
  }
}

async function writeFile({ file: stream }: MultipartFile, limits: Receiving['limits'], path: string): Promise<void> {
  const cut = new AbortController()
  // Without it the parser would read, and drop, all that is left of the file before anyone heard of the limit.
  stream.once('limit', () => cut.abort())
  try {
    await pipeline(stream, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal: cut.signal })
  } catch (error) {
    if (cut.signal.aborted) throw new Refusal(limits.tooLarge)
    // A full disk is ours to know of; anything else is a body that ended too early or makes no sense.
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error
    throw new InvalidInput(fault('body')('The body is not valid multipart form data', 'multipart_invalid'))
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
