import { type FeedChange } from '@hither/contract/feeds.ts'
import { listFriends, listReceivedRequests, listSentRequests } from '@hither/contract/friends.ts'
import { type ConversationId, type MessageId, type PingId, type UserId } from '@hither/contract/ids.ts'
import { getConversation, listConversationSummaries } from '@hither/contract/messages.ts'
import { listPings } from '@hither/contract/pings.ts'
import { type Person } from './person.ts'

export interface HeldPing {
  readonly status: string
  readonly hasImage: boolean
  readonly expiresAt: string
}

/** What one device holds: read once as it connects, and from then on what it is told. */
export interface Held {
  /** Friends, and whether they are online. */
  readonly friends: Map<UserId, boolean>
  readonly requests: Set<string>
  readonly pings: Map<PingId, HeldPing>
  /** By person; of pings seen from their beginning. */
  readonly answers: Map<PingId, Map<UserId, string>>
  readonly chats: Map<ConversationId, Map<MessageId, string>>
}

export interface Keeper {
  readonly held: Held
  hear(change: FeedChange): void
  /** Everything; also anew, after a loss. */
  read(): Promise<void>
  /** Whether it has heard of someone of this name. */
  knows(username: string): boolean
  /** Resolves once all is read that is being read. */
  settled(): Promise<void>
  stop(): void
}

/** Keeps what a device holds as an app keeps its own. */
export function createKeeper(person: Person): Keeper {
  const held: Held = { friends: new Map(), requests: new Set(), pings: new Map(), answers: new Map(), chats: new Map() }
  const friendOf = new Map<string, UserId>()
  const names = new Set<string>()
  const erased = new Set<MessageId>()
  const reads = new Set<Promise<void>>()
  /** Heard while everything is being read. */
  const early: FeedChange[] = []
  let isStopped = false
  let isRead = false
  let readings = 0

  return {
    held,
    hear(change) {
      if (isRead) apply(change)
      else early.push(change)
    },
    read() {
      track(readAll())
      return settled()
    },
    knows: (username) => names.has(username),
    settled,
    stop() {
      isStopped = true
    },
  }

  function track(reading: Promise<void>): void {
    const read: Promise<void> = reading.finally(() => reads.delete(read))
    reads.add(read)
  }

  async function settled(): Promise<void> {
    while (reads.size > 0) await Promise.all(reads)
  }

  /** Also anew, after a loss; of two at once the later counts. */
  async function readAll(): Promise<void> {
    const turn = ++readings
    isRead = false
    const [friends, received, sent, pings, summaries] = await Promise.all([
      person.call(listFriends, {}),
      person.call(listReceivedRequests, {}),
      person.call(listSentRequests, {}),
      person.call(listPings, {}),
      person.call(listConversationSummaries, {}),
    ])
    if (turn !== readings || isStopped) return
    for (const part of Object.values(held)) part.clear()
    for (const { id, user_id, is_online } of friends?.body ?? []) {
      friendOf.set(id, user_id)
      held.friends.set(user_id, is_online)
    }
    for (const { id } of [...(received?.body ?? []), ...(sent?.body ?? [])]) held.requests.add(id)
    for (const ping of pings?.body ?? []) {
      held.pings.set(ping.id, { status: ping.status, hasImage: ping.has_image, expiresAt: ping.expires_at })
      held.answers.set(ping.id, new Map(ping.responses.map((one) => [one.user_id, one.response_type])))
    }
    for (const { id } of summaries?.body ?? []) await readChat(id)
    if (turn !== readings) return
    isRead = true
    for (const change of early.splice(0)) apply(change)
  }

  async function readChat(id: ConversationId): Promise<void> {
    const messages = held.chats.get(id) ?? new Map<MessageId, string>()
    held.chats.set(id, messages)
    for (let before: MessageId | undefined; ; ) {
      const query = { limit: 100, ...(before !== undefined && { before }) }
      // It may be gone again before it is read.
      const answer = await person.call(getConversation, { params: { id }, query }, [200, 404, 401])
      if (answer?.status !== 200) return
      const page = answer.body.message_details
      for (const one of page.messages)
        if (!erased.has(one.id)) messages.set(one.id, `${one.seq} ${one.sender_id} ${one.content}`)
      before = page.messages[0]?.id
      if (!page.has_more || before === undefined) return
    }
  }

  function apply(change: FeedChange): void {
    switch (change.table) {
      case 'users':
        if (change.eventType === 'DELETE') return
        names.add(change.new.username)
        if (held.friends.has(change.new.id)) held.friends.set(change.new.id, change.new.is_online)
        return
      case 'friendships': {
        if (change.eventType === 'DELETE') {
          const friend = friendOf.get(change.old.id ?? '')
          if (friend) held.friends.delete(friend)
          return
        }
        const { id, requester_id, requested_id } = change.new
        const friend = requester_id === person.id ? requested_id : requester_id
        friendOf.set(id, friend)
        if (!held.friends.has(friend)) held.friends.set(friend, false)
        return
      }
      case 'friend_requests':
        if (change.eventType === 'DELETE') held.requests.delete(change.old.id ?? '')
        else if (change.new.status === 'pending') held.requests.add(change.new.id)
        else held.requests.delete(change.new.id)
        return
      case 'location_pins': {
        if (change.eventType === 'DELETE') {
          held.pings.delete(change.old.id as PingId)
          held.answers.delete(change.old.id as PingId)
          return
        }
        const { id, status, has_image, expires_at, created_at } = change.new
        // Who answered one that is seen again is for a read to tell.
        const isNew = !held.pings.has(id) && Date.now() - Date.parse(created_at) < 3000
        if (isNew && change.eventType === 'INSERT') held.answers.set(id, new Map())
        held.pings.set(id, { status, hasImage: has_image, expiresAt: expires_at })
        return
      }
      case 'ping_responses':
        if (change.eventType === 'DELETE')
          held.answers.get(change.old.ping_id as PingId)?.delete(change.old.user_id as UserId)
        else held.answers.get(change.new.ping_id)?.set(change.new.user_id, change.new.response_type)
        return
      case 'messages': {
        if (change.eventType === 'DELETE') {
          erased.add(change.old.id as MessageId)
          for (const messages of held.chats.values()) messages.delete(change.old.id as MessageId)
          return
        }
        const { id, conversation_id, seq, sender_id, content } = change.new
        held.chats.get(conversation_id)?.set(id, `${seq} ${sender_id} ${content}`)
        return
      }
      case 'chats': {
        if (change.eventType === 'DELETE') {
          held.chats.delete(change.old.id as ConversationId)
          return
        }
        const { id } = change.new
        if (held.chats.has(id)) return
        track(readChat(id))
        return
      }
      case 'message_read_receipts':
        return
    }
  }
}
