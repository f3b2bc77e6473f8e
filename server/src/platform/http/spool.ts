import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** JSON that is complete on the disk, and that a client may read as slowly as it is allowed to. */
export class SpooledJson<Value> {
  /** Used by the compiler only. */
  declare readonly value: Value
  readonly bytes: number
  readonly #file: FileHandle
  readonly #whenClosed: () => void
  #isClosed = false

  constructor(file: FileHandle, bytes: number, whenClosed: () => void) {
    this.#file = file
    this.bytes = bytes
    this.#whenClosed = whenClosed
  }

  /** The content. Reading it does not close the file. */
  read(): Readable {
    return this.#file.createReadStream({ start: 0, autoClose: false })
  }

  /** Removes the content. May be called again. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#whenClosed()
    await this.#file.close()
  }
}

/** A client that accepts nothing for this long is disconnected. */
const idleMs = 10_000
/** A client that is slower than this on average is disconnected, after a time that every client has. */
const bytesPerSecondMin = 64 * 1024
const baseMs = 30_000

/** Sends the content and removes it afterwards, also if the client disconnects, stops reading or reads too slowly. */
export function sendSpooled(reply: FastifyReply, status: number, spooled: SpooledJson<unknown>): FastifyReply {
  const { raw } = reply
  const content = spooled.read()
  const deadline = setTimeout(() => raw.destroy(), baseMs + (spooled.bytes / bytesPerSecondMin) * 1000)
  const end = () => {
    clearTimeout(deadline)
    content.destroy()
    spooled.close().catch((error: unknown) => reply.log.error({ err: error }, 'a spooled file was not closed'))
  }
  if (raw.closed) end()
  else raw.once('close', end)
  // No listener is set, so that Node closes the connection after this timeout.
  raw.setTimeout(idleMs)
  return reply
    .status(status)
    .type('application/json; charset=utf-8')
    .header('content-length', spooled.bytes)
    .send(content)
}

const chunkChars = 64 * 1024

/**
 * Writes the parts to a file in `folder` that has no name, so that nothing of it remains after a crash. `whenClosed` is
 * called once, when the content is removed.
 */
export async function spoolJson<Value>(
  folder: string,
  parts: AsyncIterable<string>,
  whenClosed: () => void,
): Promise<SpooledJson<Value>> {
  let file: FileHandle | null = null
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, randomUUID())
    file = await open(path, 'wx+', 0o600)
    await rm(path)
    let bytes = 0
    for await (const chunk of chunksOf(parts)) bytes += (await file.write(chunk)).bytesWritten
    return new SpooledJson(file, bytes, whenClosed)
  } catch (error) {
    await file?.close()
    throw error
  }
}

async function* chunksOf(parts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let waiting: string[] = []
  let chars = 0
  for await (const part of parts) {
    waiting.push(part)
    chars += part.length
    if (chars < chunkChars) continue
    yield Buffer.from(waiting.join(''))
    waiting = []
    chars = 0
  }
  yield Buffer.from(waiting.join(''))
}
