import { randomUUID } from 'node:crypto'
import type { ConversationId, PingId, UserId } from '@hither/contract/ids.ts'
import type { Message } from '@hither/contract/messages/messages.ts'
import type { Ping, ResponseType } from '@hither/contract/pings.ts'
import { pingLimits } from '@hither/contract/runtime/pings.ts'
import type { Api, Person } from './api.ts'
import type { Random } from './random.ts'

const writerCount = 20
const pauseMs = { least: 20, most: 120 }
/** The maximum number of active pings of one writer. */
const livePingsMax = 3
const responseTypes: readonly ResponseType[] = ['accepted', 'tentative', 'declined']

/** The last known state of a ping. Only the writer that owns it changes it. */
export interface KnownPing {
  readonly id: PingId
  readonly owner: Person
  readonly recipientIds: readonly UserId[]
  status: 'active' | 'expired' | 'deleted'
  /** `null` if it is unknown whether an attempt to extend the ping took effect. */
  expiresAt: string | null
  /** The possible responses by user. There are several if an attempt without a response was then refused. */
  readonly responses: Map<UserId, Set<ResponseType | null>>
}

/** The acknowledged writes. */
export interface Ledger {
  /** The messages by `client_id`. */
  readonly messages: Map<string, Pick<Message, 'id' | 'seq' | 'conversation_id'>>
  /** All `client_id`s that writers have used. */
  readonly clientIds: Set<string>
  readonly pings: Map<PingId, KnownPing>
}

export interface Stage {
  readonly api: Api
  /** The first user is admin of every conversation and never leaves. */
  readonly people: readonly Person[]
  /** The users who join and leave conversations. */
  readonly joiners: readonly Person[]
  readonly conversationIds: readonly ConversationId[]
}

interface Writers {
  readonly ledger: Ledger
  /** Waits for the calls in progress and then sends one last message. */
  stop(): Promise<void>
}

/** Starts twenty writers. Each sends its next call after the response to the previous one. */
export function startWriters(stage: Stage, random: Random): Writers {
  const ledger: Ledger = { messages: new Map(), clientIds: new Set(), pings: new Map() }
  let isStopped = false
  const writers = Array.from({ length: writerCount }, async (_, index) => {
    const { act } = createWriter(stage, ledger, index, random.fork(index))
    const pauses = random.fork(writerCount + index)
    while (!isStopped) {
      await act()
      await new Promise((resolve) => setTimeout(resolve, pauses.between(pauseMs.least, pauseMs.most)))
    }
  })
  return {
    ledger,
    async stop() {
      isStopped = true
      await Promise.all(writers)
      // The last message is sent alone, so that the other node must deliver it without a later write of its own.
      await createWriter(stage, ledger, 0, random.fork(2 * writerCount)).sendMessage()
    },
  }
}

interface Writer {
  /** Performs one random action. */
  act(): Promise<void>
  sendMessage(): Promise<void>
}

/** Several writers may be the same user on several devices. Only the first device of a user responds to pings. */
function createWriter(
  { api, people, joiners, conversationIds }: Stage,
  ledger: Ledger,
  index: number,
  random: Random,
): Writer {
  const person = people[index % people.length] as Person
  const isFirstDevice = index < people.length
  const ownPings: KnownPing[] = []

  async function sendMessage(): Promise<void> {
    const clientId = randomUUID()
    ledger.clientIds.add(clientId)
    const body = {
      conversation_id: random.pick(conversationIds),
      content: `from writer ${index}`,
      client_id: clientId,
    }
    const settled = await api.settle(person, 'POST', '/messages/send', body)
    if (!settled || settled.status >= 300) return
    const { id, seq, conversation_id } = (settled.body as { message: Message }).message
    ledger.messages.set(clientId, { id, seq, conversation_id })
  }

  async function markRead(): Promise<void> {
    await api.settle(person, 'PATCH', `/messages/conversations/${random.pick(conversationIds)}/mark-read`)
  }

  async function createPing(): Promise<void> {
    const others = people.filter((other) => other !== person && random.isLikely(0.7))
    const recipient_ids = (others.length > 0 ? others : people.filter((other) => other !== person)).map(({ id }) => id)
    const settled = await api.settle(person, 'POST', '/pings/', {
      name: `ping of writer ${index}`,
      latitude: random.between(-60, 60),
      longitude: random.between(-170, 170),
      duration_minutes: random.pick(pingLimits.durationsMinutes.slice(1, 4)),
      recipient_ids,
      client_id: randomUUID(),
    })
    if (!settled || settled.status >= 300) return
    const { id, expires_at } = settled.body as Ping
    const ping: KnownPing = {
      id,
      owner: person,
      recipientIds: recipient_ids,
      status: 'active',
      expiresAt: expires_at,
      responses: new Map(),
    }
    ledger.pings.set(id, ping)
    ownPings.push(ping)
  }

  async function extendPing(ping: KnownPing): Promise<void> {
    const extend_minutes = random.pick(pingLimits.extensionsMinutes)
    const settled = await api.settle(person, 'PATCH', `/pings/${ping.id}`, { extend_minutes })
    if (settled && settled.status < 300) ping.expiresAt = (settled.body as Ping).expires_at
    else if (settled?.isDoubtful ?? true) ping.expiresAt = null
  }

  async function endPing(ping: KnownPing): Promise<void> {
    const settled = await api.settle(person, 'PATCH', `/pings/${ping.id}`, { end: true })
    if (!settled) return
    ping.status = 'expired'
    // A refusal means that an earlier attempt has ended the ping.
    ping.expiresAt = settled.status < 300 ? (settled.body as Ping).expires_at : null
    if (settled.status >= 300 && !settled.isDoubtful)
      api.faults.push(`ping ${ping.id} could not be ended: ${settled.status}`)
    ownPings.splice(ownPings.indexOf(ping), 1)
  }

  async function deletePing(ping: KnownPing): Promise<void> {
    const settled = await api.settle(person, 'DELETE', `/pings/${ping.id}`)
    if (!settled) return
    ping.status = 'deleted'
    if (settled.status >= 300 && !settled.isDoubtful)
      api.faults.push(`ping ${ping.id} could not be deleted: ${settled.status}`)
    ownPings.splice(ownPings.indexOf(ping), 1)
  }

  async function changePings(): Promise<void> {
    if (ownPings.length < livePingsMax && (ownPings.length === 0 || random.isLikely(0.5))) return createPing()
    const change = random.pick([extendPing, endPing, deletePing])
    return change(random.pick(ownPings))
  }

  async function respond(): Promise<void> {
    const open = [...ledger.pings.values()].filter(
      ({ status, recipientIds }) => status === 'active' && recipientIds.includes(person.id),
    )
    if (open.length === 0) return sendMessage()
    const ping = random.pick(open)
    const isRemoval = random.isLikely(0.25)
    const response_type = random.pick(responseTypes)
    const settled = isRemoval
      ? await api.settle(person, 'DELETE', `/pings/respond/${ping.id}`)
      : await api.settle(person, 'POST', '/pings/respond', { ping_id: ping.id, response_type })
    const response = isRemoval ? null : response_type
    if (settled && settled.status < 300) ping.responses.set(person.id, new Set([response]))
    else if (settled?.isDoubtful ?? true)
      ping.responses.set(person.id, new Set([...(ping.responses.get(person.id) ?? [null]), response]))
  }

  async function changeMembers(): Promise<void> {
    const path = `/messages/conversations/${random.pick(conversationIds)}/participants`
    const user_id = random.pick(joiners).id
    await api.settle(person, 'POST', `${path}/${random.isLikely(0.65) ? 'add' : 'remove'}`, { user_id })
  }

  async function leave(): Promise<void> {
    await api.settle(person, 'POST', `/messages/conversations/${random.pick(conversationIds)}/leave`)
  }

  async function act(): Promise<void> {
    const choice = random.between(0, 1)
    if (choice < 0.5) return sendMessage()
    if (choice < 0.62) return markRead()
    if (choice < 0.78) return changePings()
    if (choice < 0.95 || !isFirstDevice) return isFirstDevice ? respond() : sendMessage()
    if (index === 0) return changeMembers()
    return joiners.includes(person) && random.isLikely(0.4) ? leave() : markRead()
  }
  return { act, sendMessage }
}
