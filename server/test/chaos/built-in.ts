import { randomUUID } from 'node:crypto'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { ConversationId } from '@hither/contract/ids.ts'
import type { Conversation, Message } from '@hither/contract/messages/messages.ts'
import { freePort } from '../free-port.ts'
import { childrenOf, isRunning } from '../processes.ts'
import { callOnce, createApi, createPeople, type Person, signInAgain } from './api.ts'
import { readChat } from './model.ts'
import { createNodeProcess } from './node-process.ts'
import { createRandom, type Random } from './random.ts'

export const killKinds = ['server', 'database', 'both'] as const
export type KillKind = (typeof killKinds)[number]

export interface KillReport {
  readonly kind: KillKind
  /** Writes that were answered with success, and those that were not: cut off, or answered with 503. */
  readonly acknowledged: number
  readonly failed: number
  /** From the kill to the first 200 of `/readyz`; includes the start of a new server. */
  readonly recoverySeconds: number
  /** What is wrong, as sentences. */
  readonly faults: readonly string[]
}

export interface KillRounds {
  /** From the launch of the first server to its first answer, in seconds; includes the creation of the database. */
  readonly firstStartSeconds: number
  /** Everything random in it follows from the seed and the number of the round. */
  runRound(kind: KillKind, round: number): Promise<KillReport>
  /** Reads everything of all rounds once more. Returns what is wrong, as sentences. */
  checkAll(): Promise<string[]>
  /** Stops the server with SIGTERM. Returns what is wrong, as sentences. */
  close(): Promise<string[]>
}

const writerCount = 8
const signInEveryRounds = 100
const pollMs = 20
const recoverWithinMs = 90_000

/** By `client_id`, what was acknowledged of a round; `null` for a write whose outcome is not known. */
type Ledger = Map<string, Pick<Message, 'id' | 'seq'> | null>

/**
 * Starts a server with its built-in database on an empty `dataDir`, as an operator does: the database waits for the disk.
 * Each round kills the server, its database or both with SIGKILL while eight writers send messages, and checks that every
 * message that was acknowledged is there once, and that one database runs. Linux only. Call `close` in the end.
 */
export async function startKillRounds(dataDir: string, seed: number): Promise<KillRounds> {
  let faults: string[] = []
  const environment = {
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    RATE_LIMITS: 'off',
    LOAD_SHEDDING: 'off',
    MAP_ONLINE: 'off',
    BACKUPS_ENABLED: 'off',
  }
  const server = createNodeProcess({ name: 'the server', port: await freePort(), environment }, (sentence) =>
    faults.push(sentence),
  )
  const launchedAt = performance.now()
  await server.start()
  const firstStartSeconds = (performance.now() - launchedAt) / 1000
  const folder = join(dataDir, 'postgres-18')
  const settings = await readFile(`/proc/${await postmasterOf(folder)}/cmdline`, 'utf8')
  for (const setting of ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on'])
    if (!settings.split('\0').includes(setting)) throw new Error(`The database runs without ${setting}.`)
  const api = createApi({ nodes: [server] })
  const people = await createPeople(api, ['ann', 'bob', 'eve'])
  const rounds = new Map<ConversationId, Ledger>()

  async function runRound(kind: KillKind, round: number): Promise<KillReport> {
    const random = createRandom(seed).fork(round)
    if (round % signInEveryRounds === signInEveryRounds - 1) await signInAgain(api, people)
    const [admin, ...others] = people as [Person, ...Person[]]
    const body = { name: `round ${round}`, participant_ids: others.map(({ id }) => id) }
    const { id } = await api.send<Conversation>(admin, 'POST', '/messages/conversations/', body)
    const ledger: Ledger = new Map()
    rounds.set(id, ledger)
    const before = await postmasterOf(folder)
    const writing = new AbortController()
    const writers = Array.from({ length: writerCount }, (_, index) =>
      write(server.origin, people[index % people.length] as Person, id, ledger, writing.signal),
    )
    await pause(random.between(300, 1500))
    const killedAt = performance.now()
    await kill(kind, before, random)
    if (kind !== 'database') await server.start()
    await waitUntilReady(server.origin)
    const recoverySeconds = (performance.now() - killedAt) / 1000
    // Also writes after the kill have to be there.
    await pause(200)
    writing.abort()
    await Promise.all(writers)
    faults.push(...(await checkRound(id, ledger)), ...(await checkProcesses(folder, before)))
    const acknowledged = [...ledger.values()].filter((message) => message !== null).length
    const found = [...new Set([...faults, ...api.faults])]
    faults = []
    api.faults.length = 0
    return { kind, acknowledged, failed: ledger.size - acknowledged, recoverySeconds, faults: found }
  }

  async function kill(kind: KillKind, postmaster: number, random: Random): Promise<void> {
    const all = [postmaster, ...(await childrenOf(postmaster))]
    // The whole database at once, or only its first process: the others notice that themselves.
    const victims = kind === 'server' ? [] : random.isLikely(0.5) ? all : [postmaster]
    const killed = kind === 'database' ? undefined : server.kill()
    for (const pid of victims)
      try {
        process.kill(pid, 'SIGKILL')
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      }
    await killed
  }

  async function checkRound(id: ConversationId, ledger: Ledger): Promise<string[]> {
    const found: string[] = []
    const chat = await readChat(api, people[0] as Person, id)
    const seen = new Set<string>()
    const messages = [...(chat?.messages ?? [])].sort(([, a], [, b]) => a.seq - b.seq)
    for (const [index, [messageId, { seq, client_id }]] of messages.entries()) {
      if (seq !== index + 1) found.push(`message ${index + 1} of conversation ${id} has the number ${seq}`)
      if (client_id === null || !ledger.has(client_id)) {
        found.push(`nobody has sent message ${messageId}`)
        continue
      }
      if (seen.has(client_id)) found.push(`message ${messageId} is there twice`)
      seen.add(client_id)
      const known = ledger.get(client_id) ?? null
      if (known !== null && (known.id !== messageId || known.seq !== seq))
        found.push(`message ${messageId} was acknowledged as ${known.id} with number ${known.seq}`)
    }
    for (const [clientId, known] of ledger)
      if (known !== null && !seen.has(clientId)) found.push(`acknowledged message ${known.id} is lost`)
    return found
  }

  return {
    firstStartSeconds,
    runRound,
    async checkAll() {
      const found: string[] = []
      for (const [id, ledger] of rounds) found.push(...(await checkRound(id, ledger)))
      return found
    },
    async close() {
      const postmaster = await postmasterOf(folder)
      await server.stop()
      if (isRunning(postmaster)) faults.push(`the database process ${postmaster} outlived the stop of the server`)
      return faults
    },
  }
}

/** Sends one message after the other until `signal`. A message is never sent again: its outcome is known or not. */
async function write(origin: string, person: Person, id: ConversationId, ledger: Ledger, signal: AbortSignal) {
  while (!signal.aborted) {
    const clientId = randomUUID()
    ledger.set(clientId, null)
    const body = { conversation_id: id, content: 'Hello', client_id: clientId }
    const outcome = await callOnce(origin, 'POST', '/messages/send', { body, token: person.token })
    if (typeof outcome === 'object' && outcome.status < 300) {
      const { message } = outcome.body as { message: Message }
      ledger.set(clientId, { id: message.id, seq: message.seq })
    } else await pause(pollMs)
  }
}

async function waitUntilReady(origin: string): Promise<void> {
  const until = performance.now() + recoverWithinMs
  for (;;) {
    const isReady = await fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    if (performance.now() > until) throw new Error('The server was not ready again within 90 s.')
    await pause(pollMs)
  }
}

async function postmasterOf(folder: string): Promise<number> {
  return Number.parseInt(await readFile(join(folder, 'postmaster.pid'), 'utf8'), 10)
}

/** The database process from before the kill has ended, and the processes that work in the folder have one parent. */
async function checkProcesses(folder: string, before: number): Promise<string[]> {
  const postmaster = await postmasterOf(folder)
  const found: string[] = []
  if (postmaster === before) found.push(`the database process ${before} is the one from before the kill`)
  const own = [postmaster, ...(await childrenOf(postmaster))]
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name) || own.includes(Number(name))) continue
    const cwd = await readlink(`/proc/${name}/cwd`).catch(() => null)
    // A process that has just been started by the database, or that has just ended.
    if (cwd !== folder || (await childrenOf(postmaster)).includes(Number(name)) || !isRunning(Number(name))) continue
    found.push(`process ${name} works in the database folder too`)
  }
  return found
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
