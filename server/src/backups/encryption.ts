import { open, readFile } from 'node:fs/promises'
import type { Decrypter } from 'age-encryption'
import { BackupError, IdentityError } from './backup-error.ts'

// The age format, https://age-encryption.org/v1. The library is loaded with its first use, because that takes time.

/** The first bytes of an encrypted archive. */
export const ageHeader = 'age-encryption.org/v1\n'

/** Encrypts a stream, so that the private key of each recipient opens it. */
export async function* encrypted(
  source: AsyncIterable<Uint8Array>,
  recipients: readonly string[],
): AsyncGenerator<Uint8Array> {
  const { Encrypter } = await import('age-encryption')
  const encrypter = new Encrypter()
  for (const recipient of recipients) encrypter.addRecipient(recipient)
  yield* await encrypter.encrypt(streamOf(source))
}

/** Decrypts a stream. Throws `damaged` at the first piece that was changed, and at the end of a stream that is cut off. */
export async function* decrypted(
  source: AsyncIterable<Uint8Array>,
  decrypter: Decrypter,
  damaged: BackupError,
): AsyncGenerator<Uint8Array> {
  try {
    yield* await decrypter.decrypt(streamOf(source))
  } catch (error) {
    throw error instanceof BackupError || (error as NodeJS.ErrnoException).code !== undefined ? error : damaged
  }
}

export async function isEncrypted(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(ageHeader.length), 0, ageHeader.length, 0)
    return buffer.toString('latin1', 0, bytesRead) === ageHeader
  } finally {
    await file.close()
  }
}

/** Reads an identity file as age writes it: one private key in each line, and comments that start with `#`. */
export async function readIdentityFile(path: string): Promise<Decrypter> {
  const lines = (await readFile(path, 'utf8')).split('\n').map((line) => line.trim())
  const { Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  try {
    for (const line of lines) if (line !== '' && !line.startsWith('#')) decrypter.addIdentity(line)
  } catch {
    throw wrongIdentity()
  }
  // The library asks the identities in their order, so it asks this one if no other can open the archive.
  decrypter.addIdentity({
    unwrapFileKey() {
      throw wrongIdentity()
    },
  })
  return decrypter
}

/** Prints nothing and stores nothing: who loses the private key loses the backups. */
export async function createKeyPair(): Promise<{ publicKey: string; privateKey: string }> {
  const { generateIdentity, identityToRecipient } = await import('age-encryption')
  const privateKey = await generateIdentity()
  return { privateKey, publicKey: await identityToRecipient(privateKey) }
}

function wrongIdentity(): IdentityError {
  return new IdentityError("This identity can't open the backup. Nothing was changed.")
}

function streamOf(source: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  return ReadableStream.from(source) as ReadableStream<Uint8Array>
}
