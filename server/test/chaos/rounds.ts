import type { ConversationId } from '@hither/contract/ids.ts'
import type { Conversation } from '@hither/contract/messages/messages.ts'
import { type Api, createApi, createPeople, type Person, signInAgain } from './api.ts'
import { checkListeners, checkMessages, checkPings, checkTransactions } from './checks.ts'
import type { Cluster } from './cluster.ts'
import { type Listener, openListener } from './listener.ts'
import { createRandom, type Random } from './random.ts'
import { type Ledger, type Stage, startWriters } from './writers.ts'

export const roundKinds = ['node-kill', 'node-stop', 'database-kill', 'redis-kill'] as const
export type RoundKind = (typeof roundKinds)[number]

export interface RoundReport {
  readonly kind: RoundKind
  readonly seconds: number
  readonly acknowledged: number
  readonly refused: number
  readonly repeated: number
  /** The number of resyncs of all listeners. */
  readonly resyncs: number
  /** The faults of the round, as sentences. */
  readonly faults: readonly string[]
}

export interface Chaos {
  /** Runs one round. The seed and the number of the round determine all its random choices. */
  runRound(kind: RoundKind, round: number): Promise<RoundReport>
}

const usernames = ['admin', 'ann', 'bob', 'cid', 'dan', 'eve', 'fay', 'gus']
/** Indexes of `usernames`. */
const joinerIndexes = [5, 6, 7]
const listenerIndexes = [0, 1, 2, 3, 5, 6]
const signInEveryMs = 20 * 60_000
const deletionsAtOnce = 4

/** Signs up the users of all rounds. */
export async function createChaos(cluster: Cluster, seed: number): Promise<Chaos> {
  const people = await createPeople(createApi(cluster), usernames)
  let signedInAt = performance.now()

  async function runRound(kind: RoundKind, round: number): Promise<RoundReport> {
    const random = createRandom(seed).fork(round)
    const startedAt = performance.now()
    const api = createApi(cluster)
    if (performance.now() - signedInAt > signInEveryMs) {
      await signInAgain(api, people)
      signedInAt = performance.now()
    }
    const stage = await prepareStage(api, people, round)
    const listeners: Listener[] = []
    const faults: string[] = []
    let ledger: Ledger | null = null
    // The report counts only the calls of the round, not those of its preparation.
    const before = { ...api.counts }
    let counts = before
    try {
      for (const [index, place] of listenerIndexes.entries())
        listeners.push(await openListener(cluster, api, { person: people[place] as Person, nodeIndex: index }))
      const writers = startWriters(stage, random.fork(1))
      ledger = writers.ledger
      for (const [index, listener] of listeners.entries()) listener.disturb(random.fork(100 + index))
      const timing = random.fork(2)
      await pause(timing.between(500, 1500))
      await fail(cluster, kind, timing)
      await pause(timing.between(1000, 2500))
      for (const listener of listeners) listener.heal()
      // During the last writes all listeners stay connected, because a reconnect would fetch missed changes and hide a lost one.
      await pause(1000)
      await writers.stop()
      counts = { ...api.counts }
      faults.push(...(await checkListeners(api, listeners)))
      faults.push(...(await checkMessages(stage, ledger)))
      faults.push(...(await checkPings(api, ledger)))
      faults.push(...(await checkTransactions(cluster)))
    } catch (error) {
      faults.push(`the round could not be completed: ${(error as Error).message}`)
    }
    const resyncs = listeners.reduce((sum, listener) => sum + listener.resyncs, 0)
    await cleanUp(stage, listeners, ledger)
    return {
      kind,
      seconds: (performance.now() - startedAt) / 1000,
      acknowledged: counts.acknowledged - before.acknowledged,
      refused: counts.refused - before.refused,
      repeated: counts.repeated - before.repeated,
      resyncs,
      faults: [...new Set([...cluster.takeFaults(), ...api.faults, ...faults])],
    }
  }

  return { runRound }
}

async function fail({ nodes, database, redis }: Cluster, kind: RoundKind, random: Random): Promise<void> {
  const node = random.pick(nodes)
  switch (kind) {
    case 'node-kill':
      await node.kill()
      await pause(random.between(200, 2000))
      return node.start()
    case 'node-stop':
      await node.stop()
      await pause(random.between(0, 1000))
      return node.start()
    case 'database-kill':
      await database.kill()
      await pause(random.between(700, 1500))
      return database.start()
    case 'redis-kill':
      await redis.kill()
      await pause(random.between(200, 2000))
      return redis.start()
  }
}

async function prepareStage(api: Api, people: readonly Person[], round: number): Promise<Stage> {
  const [admin, ...others] = people
  const joiners = joinerIndexes.map((place) => people[place] as Person)
  const conversationIds: ConversationId[] = []
  for (const name of ['first', 'second', 'third']) {
    const participant_ids = others.map(({ id }) => id)
    const body = { name: `${name} of round ${round}`, participant_ids }
    conversationIds.push((await api.send<Conversation>(admin ?? null, 'POST', '/messages/conversations/', body)).id)
  }
  return { api, people, joiners, conversationIds }
}

/** Deletes the data of the round, so that the next round does not read it. */
async function cleanUp({ api, people, conversationIds }: Stage, listeners: readonly Listener[], ledger: Ledger | null) {
  await Promise.all(listeners.map((listener) => listener.close()))
  const deletions = [
    ...conversationIds.map((id) => ({ person: people[0] as Person, path: `/messages/conversations/${id}` })),
    ...[...(ledger?.pings.values() ?? [])]
      .filter(({ status }) => status !== 'deleted')
      .map(({ id, owner }) => ({ person: owner, path: `/pings/${id}` })),
  ]
  const next = deletions.values()
  const deleteAll = async () => {
    // If the service hangs, the round has failed already, so the cleanup stops.
    for (const { person, path } of next) if ((await api.settle(person, 'DELETE', path)) === null) return
  }
  await Promise.all(Array.from({ length: deletionsAtOnce }, deleteAll))
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
