import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { loadLimits } from '../platform/load-shedder.ts'
import { Refusal } from '../platform/refusal.ts'
import { type PasswordJob, type PasswordReply } from './password-worker.ts'

/** A string without a hash to compare is hashed all the same, so that an unknown address takes as long as a known one. */
let hashOfNothing: string | undefined

/** Refuses with `server_busy` when too many wait. */
export async function hashPassword(password: string): Promise<string> {
  return String(await ask({ password, passwordHash: null }))
}

/** Refuses with `server_busy` when too many wait. */
export async function isPassword(password: string, passwordHash: string | null | undefined): Promise<boolean> {
  const matches = await ask({ password, passwordHash: passwordHash ?? (await hashNothing()) })
  return matches === true && passwordHash != null
}

async function hashNothing(): Promise<string> {
  hashOfNothing ??= await hashPassword('no account has this password')
  return hashOfNothing
}

interface Waiting {
  readonly job: PasswordJob
  resolve(result: string | boolean): void
  reject(error: Error): void
}

/** Two seconds of work and more: nobody waits longer for a sign-in. */
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
  // The process lives on while a password is being hashed, and only then.
  worker.ref()
  worker.postMessage(next.job)
}

function startThread(): Worker {
  threads++
  return new Worker(new URL('./password-worker.ts', import.meta.url))
}
