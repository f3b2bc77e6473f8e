import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { hashSync, type Options, verifySync } from '@node-rs/argon2'

/** One password to hash, or to hold against a hash. */
export interface PasswordJob {
  readonly password: string
  readonly passwordHash: string | null
}

export type PasswordReply = { readonly result: string | boolean } | { readonly error: string }

/** Argon2id with the parameters OWASP's password storage page names first: 19 MiB, two passes, one lane. */
const options: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

// Whoever is signed in goes first: here each sign-in is ten milliseconds of a whole core. On Linux it is this thread's alone.
if (process.platform === 'linux') setPriority(10)

parentPort?.on('message', (job: PasswordJob) => parentPort?.postMessage(replyTo(job)))

function replyTo({ password, passwordHash }: PasswordJob): PasswordReply {
  try {
    return { result: passwordHash === null ? hashSync(password, options) : verifySync(passwordHash, password) }
  } catch (error) {
    return { error: String(error) }
  }
}
