import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { Refusal } from '../../platform/errors/refusal.ts'
import { loadLimits } from '../../platform/http/load-shedder.ts'
import type { PasswordCost, PasswordJob, PasswordReply } from './password-worker.ts'

/** Argon2id with the first parameters of the OWASP Password Storage Cheat Sheet: 19 MiB, two passes, one lane. */
export const owaspCost: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
let cost = owaspCost

/** Changes the cost of new hashes in this process. Only tests call it, because they sign up many users. */
export function setPasswordCost(next: PasswordCost): void {
  cost = next
  dummyHash = undefined
}

/**
 * The hash of a random string. Compared if there is no other hash, so that an unknown address takes as long as a known
 * one.
 */
let dummyHash: string | undefined

/** Hashes a password. Refuses with `server_busy` when the queue is full. */
export async function hashPassword(password: string): Promise<string> {
  return String(await ask({ password, passwordHash: null, cost }))
}

/**
 * Compares a password with a hash. Takes the same time without a hash. Refuses with `server_busy` when the queue is
 * full.
 */
export async function isPassword(password: string, passwordHash: string | null | undefined): Promise<boolean> {
  const matches = await ask({ password, passwordHash: passwordHash ?? (await createDummyHash()), cost })
  return matches === true && passwordHash != null
}

async function createDummyHash(): Promise<string> {
  dummyHash ??= await hashPassword('no account has this password')
  return dummyHash
}

interface Waiting {
  readonly job: PasswordJob
  resolve(result: string | boolean): void
  reject(error: Error): void
}

/** The maximum queue length, worth a little more than two seconds of work: the longest wait for a sign-in. */
const waitingMax = 400
const threadsMax = Math.min(4, availableParallelism())

const waiting: Waiting[] = []
const resting: Worker[] = []
let threads = 0

function ask(job: PasswordJob): Promise<string | boolean> {
  if (waiting.length >= waitingMax) throw new Refusal('server_busy', loadLimits.retryAfterSeconds)
  return new Promise((resolve, reject) => {
    waiting.push({ job, resolve, reject })
    goOn()
  })
}

function goOn(): void {
  if (waiting.length === 0) return
  const worker = resting.pop() ?? (threads < threadsMax ? startThread() : undefined)
  const next = worker && waiting.shift()
  if (!next) return
  const end = () => {
    worker.off('message', settle)
    worker.off('error', fail)
    worker.unref()
  }
  const settle = (reply: PasswordReply) => {
    end()
    resting.push(worker)
    if ('error' in reply) next.reject(new Error(reply.error))
    else next.resolve(reply.result)
    goOn()
  }
  const fail = (error: Error) => {
    end()
    threads--
    next.reject(error)
    goOn()
  }
  worker.on('message', settle)
  worker.on('error', fail)
  // Keeps the process alive only while a password is being hashed.
  worker.ref()
  worker.postMessage(next.job)
}

function startThread(): Worker {
  threads++
  return new Worker(new URL('./password-worker.ts', import.meta.url))
}
