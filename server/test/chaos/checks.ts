import type { Ping } from '@hither/contract/pings.ts'
import type { Api } from './api.ts'
import { type Cluster, idleSecondsMax } from './cluster.ts'
import type { Listener } from './listener.ts'
import { differencesOf, readChat, readModel } from './model.ts'
import type { KnownPing, Ledger, Stage } from './writers.ts'

/** How long after the last write the state of a listener may still differ from the HTTP API. */
const quietMs = 10_000
const pollMs = 250
/** The maximum number of reported differences of one listener. */
const differencesMax = 5

/** Checks that every acknowledged message exists exactly once and unchanged, and that the `seq` of a conversation has no gaps. */
export async function checkMessages({ api, people, conversationIds }: Stage, ledger: Ledger): Promise<string[]> {
  const [admin] = people
  if (!admin) throw new Error('The stage has no users')
  const faults: string[] = []
  const seen = new Set<string>()
  for (const conversationId of conversationIds) {
    const chat = await readChat(api, admin, conversationId)
    const messages = [...(chat?.messages ?? [])].sort(([, a], [, b]) => a.seq - b.seq)
    for (const [index, [id, { seq, client_id }]] of messages.entries()) {
      if (seq !== index + 1) faults.push(`message ${index + 1} of conversation ${conversationId} has the number ${seq}`)
      if (client_id === null || !ledger.clientIds.has(client_id)) faults.push(`nobody has sent message ${id}`)
      else if (seen.has(client_id)) faults.push(`message ${id} is there twice, as client_id ${client_id}`)
      else seen.add(client_id)
      const known = ledger.messages.get(client_id ?? '')
      if (known && (known.id !== id || known.seq !== seq || known.conversation_id !== conversationId))
        faults.push(`message ${id} was acknowledged as ${known.id} with number ${known.seq}`)
    }
  }
  for (const [clientId, { id }] of ledger.messages)
    if (!seen.has(clientId)) faults.push(`acknowledged message ${id} is lost`)
  return faults
}

/** Checks that every ping and every response has its acknowledged state. */
export async function checkPings(api: Api, { pings }: Ledger): Promise<string[]> {
  const faults: string[] = []
  for (const ping of pings.values()) {
    const settled = await api.settle(ping.owner, 'GET', `/pings/${ping.id}`)
    if (!settled) continue
    if (ping.status === 'deleted' && settled.status !== 404) faults.push(`deleted ping ${ping.id} is still there`)
    if (ping.status === 'deleted') continue
    if (settled.status === 200) faults.push(...comparePing(ping, settled.body as Ping))
    else faults.push(`acknowledged ping ${ping.id} is answered with ${settled.status}`)
  }
  return faults
}

function comparePing({ id, status, expiresAt, responses }: KnownPing, found: Ping): string[] {
  const faults: string[] = []
  if (found.status !== status) faults.push(`ping ${id} is ${found.status} instead of ${status}`)
  if (expiresAt !== null && found.expires_at !== expiresAt)
    faults.push(`ping ${id} expires at ${found.expires_at} instead of ${expiresAt}`)
  for (const [userId, allowed] of responses) {
    const response = found.responses.find(({ user_id }) => user_id === userId)?.response_type ?? null
    if (!allowed.has(response))
      faults.push(`the response of ${userId} to ping ${id} is ${response} instead of ${[...allowed].join(' or ')}`)
  }
  return faults
}

/** Waits up to ten seconds until the state of every listener equals the HTTP API. */
export async function checkListeners(api: Api, listeners: readonly Listener[]): Promise<string[]> {
  const until = performance.now() + quietMs
  const checked = await Promise.all(
    listeners.map(async (listener) => {
      for (;;) {
        const differences = await differencesNow(api, listener)
        if (differences.length === 0) return []
        if (performance.now() > until) {
          const more = differences.length > differencesMax ? [`and ${differences.length - differencesMax} more`] : []
          return [...differences.slice(0, differencesMax), ...more].map((text) => `${listener.name}: ${text}`)
        }
        await new Promise((resolve) => setTimeout(resolve, pollMs))
      }
    }),
  )
  return [...checked.flat(), ...listeners.flatMap(({ name, faults }) => faults.map((fault) => `${name}: ${fault}`))]
}

async function differencesNow(api: Api, listener: Listener): Promise<string[]> {
  const http = await readModel(api, listener.person)
  if (!listener.isIdle) return ['it is still reading']
  return differencesOf(http, listener.model, listener.person.id)
}

/** Checks that no connection stays in a transaction after the last write. */
export async function checkTransactions(cluster: Cluster): Promise<string[]> {
  const until = performance.now() + (idleSecondsMax + 2) * 1000
  for (;;) {
    const seconds = await cluster.longestIdle()
    if (seconds < 1) return []
    if (seconds > idleSecondsMax || performance.now() > until)
      return [`after the last write a connection is idle in a transaction, for ${seconds.toFixed(1)} seconds`]
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}
