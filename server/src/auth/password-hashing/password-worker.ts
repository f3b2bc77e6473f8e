import { getPriority, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { hashSync, type Options, verifySync } from '@node-rs/argon2'

/** The parameters of Argon2id; `memoryCost` is in KiB. */
export type PasswordCost = Required<Pick<Options, 'memoryCost' | 'timeCost' | 'parallelism'>>

/** A password to hash, or to compare with a hash. */
export interface PasswordJob {
  readonly password: string
  readonly passwordHash: string | null
  /** Of a new hash. A hash contains its own cost. */
  readonly cost: PasswordCost
}

export type PasswordReply = { readonly result: string | boolean } | { readonly error: string }

/** A `nice` value. Requests of signed-in users go first: each sign-in takes ten milliseconds of a whole core here. */
const priority = 10
// On Linux this sets the priority of this thread only. An ordinary user may not raise it, for example after `nice -n
// 19`.
if (process.platform === 'linux' && getPriority() < priority) setPriority(priority)

parentPort?.on('message', (job: PasswordJob) => parentPort?.postMessage(replyTo(job)))

function replyTo({ password, passwordHash, cost }: PasswordJob): PasswordReply {
  try {
    return { result: passwordHash === null ? hashSync(password, cost) : verifySync(passwordHash, password) }
  } catch (error) {
    return { error: String(error) }
  }
}
