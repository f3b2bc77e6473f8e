import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Decrypter } from 'age-encryption'
import { damaged, IdentityError } from './backup-error.ts'
import { decrypted, encrypted, isEncrypted } from './encryption.ts'

export interface Entry {
  readonly name: string
  readonly size: number
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

export interface ReadEntry extends Entry {
  /** Available once the entry has been read. */
  readonly sha256: () => string
}

const block = 512

/**
 * Writes a compressed tar file, encrypted if there are recipients and readable by this user only, which is on the disk
 * when it resolves. `path` must not exist.
 */
export async function writeArchive(
  path: string,
  entries: AsyncIterable<Entry>,
  recipients: readonly string[],
): Promise<void> {
  const plain = Readable.from(tar(entries), { objectMode: false })
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  if (recipients.length === 0) await pipeline(plain, createGzip(), file)
  else await pipeline(plain, createGzip(), (source: AsyncIterable<Buffer>) => encrypted(source, recipients), file)
}

/** Writes an uncompressed tar file. */
export async function writeTar(
  output: NodeJS.WritableStream,
  entries: AsyncIterable<Entry>,
  options: { readonly end?: boolean } = {},
): Promise<void> {
  await pipeline(Readable.from(tar(entries), { objectMode: false }), output, options)
}

async function* tar(entries: AsyncIterable<Entry>): AsyncGenerator<Uint8Array> {
  for await (const { name, size, content } of entries) {
    yield headerOf(name, size)
    let written = 0
    for await (const chunk of content) {
      written += chunk.byteLength
      if (chunk.byteLength > 0) yield chunk
    }
    if (written !== size) throw new Error(`${name} was to have ${size} bytes and had ${written}`)
    const rest = padding(size)
    if (rest > 0) yield Buffer.alloc(rest)
  }
  yield Buffer.alloc(2 * block)
}

/** The header of POSIX.1-1988 ("ustar"). */
function headerOf(name: string, size: number): Buffer {
  if (Buffer.byteLength(name) > 100) throw new Error(`The name ${name} is too long`)
  const header = Buffer.alloc(block)
  const octal = (value: number, at: number, digits: number) =>
    header.write(`${value.toString(8).padStart(digits, '0')}\0`, at, 'latin1')
  header.write(name, 0, 'utf8')
  octal(0o600, 100, 7)
  octal(0, 108, 7)
  octal(0, 116, 7)
  if (size <= octalMax) octal(size, 124, 11)
  else writeLargeSize(header, size)
  octal(0, 136, 11)
  header.write('        0', 148, 'latin1')
  header.write('ustar\x0000', 257, 'latin1')
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return header
}

const octalMax = 0o77777777777

/** The form of GNU tar for sizes of eight gigabytes and more: a mark and a number of 56 bits. */
function writeLargeSize(header: Buffer, size: number): void {
  header[124] = 0x80
  header.writeBigUInt64BE(BigInt(size), 128)
}

function readSize(header: Buffer): number {
  if (header[124] === 0x80) return Number(header.readBigUInt64BE(128))
  return Number.parseInt(header.toString('latin1', 124, 136).replace(/\0.*$/s, ''), 8)
}

function padding(size: number): number {
  return (block - (size % block)) % block
}

export interface Archive {
  readonly path: string
  /** Opens an encrypted archive. */
  readonly decrypter?: Decrypter | null
}

/**
 * Reads a compressed tar file entry by entry, in order. Unread parts of an entry are skipped. Throws `BackupError` if the file is
 * damaged or cannot be decrypted.
 */
export async function* readArchive({ path, decrypter }: Archive): AsyncGenerator<ReadEntry> {
  const isCiphertext = await isEncrypted(path)
  if (isCiphertext && !decrypter) throw new IdentityError('This backup is encrypted. Add --identity FILE.')
  const file = createReadStream(path)
  const unzipped = createGunzip()
  const source =
    isCiphertext && decrypter
      ? pipeline(file, (bytes: AsyncIterable<Buffer>) => decrypted(bytes, decrypter, damaged(path)), unzipped)
      : pipeline(file, unzipped)
  source.catch(() => undefined)
  try {
    yield* readTar(unzipped, path)
  } finally {
    file.destroy()
    unzipped.destroy()
  }
}

/** Reads a tar file like `readArchive`. */
export async function* readTar(stream: AsyncIterable<Buffer>, path: string): AsyncGenerator<ReadEntry> {
  const bytes = createByteReader(stream, path)
  for (;;) {
    const header = await bytes.take(block)
    if (isEmpty(header)) break
    const { name, size } = readHeader(header, path)
    const hash = createHash('sha256')
    const content = bytes.upTo(size, (chunk) => hash.update(chunk))
    yield { name, size, content, sha256: () => hash.copy().digest('hex') }
    for await (const _ of content);
    await bytes.take(padding(size))
  }
  if (!isEmpty(await bytes.take(block))) throw damaged(path)
  // The end of a compressed stream contains its own checksum.
  await bytes.drain()
}

const isEmpty = (bytes: Buffer) => bytes.every((byte) => byte === 0)

function readHeader(header: Buffer, path: string): { name: string; size: number } {
  const text = (from: number, to: number) => header.toString('utf8', from, to).replace(/\0.*$/s, '')
  const sum = Number.parseInt(text(148, 156), 8)
  const counted = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0)
  const size = readSize(header)
  if (sum !== counted || !(size >= 0)) throw damaged(path)
  return { name: text(0, 100), size }
}

function createByteReader(stream: AsyncIterable<Buffer>, path: string) {
  const chunks = stream[Symbol.asyncIterator]()
  let buffered: Buffer = Buffer.alloc(0)

  async function chunk(): Promise<Buffer | null> {
    try {
      const { done, value } = await chunks.next()
      return done ? null : value
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw damaged(path)
      throw error
    }
  }

  async function next(most: number): Promise<Buffer> {
    while (buffered.byteLength === 0) {
      const more = await chunk()
      if (!more) throw damaged(path)
      buffered = more
    }
    const part = buffered.subarray(0, most)
    buffered = buffered.subarray(part.byteLength)
    return part
  }

  async function* upTo(size: number, see: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
    let left = size
    while (left > 0) {
      const part = await next(left)
      left -= part.byteLength
      see(part)
      yield part
    }
  }

  return {
    upTo,
    async take(size: number): Promise<Buffer> {
      const parts: Buffer[] = []
      for await (const part of upTo(size, () => undefined)) parts.push(part)
      return Buffer.concat(parts)
    },
    async drain(): Promise<void> {
      buffered = Buffer.alloc(0)
      while (await chunk());
    },
  }
}
