import type { FeedChange } from '@hither/contract/feeds.ts'
import { listFriends, listReceivedRequests, listSentRequests } from '@hither/contract/friends.ts'
import type { ConversationId, MessageId, PingId, UserId } from '@hither/contract/ids.ts'
import { getConversation, listConversationSummaries } from '@hither/contract/messages/messages.ts'
import { listPings } from '@hither/contract/pings.ts'
import type { Person } from './person.ts'

interface PingState {
  readonly status: string
  readonly hasImage: boolean
  readonly expiresAt: string
}

/** The state of one device: read when it connects, and then updated by live changes. */
export interface DeviceState {
  /** Whether each friend is online. */
  readonly friends: Map<UserId, boolean>
  readonly requests: Set<string>
  readonly pings: Map<PingId, PingState>
  /** The responses by user, only of pings that were visible from their creation on. */
  readonly answers: Map<PingId, Map<UserId, string>>
  readonly chats: Map<ConversationId, Map<MessageId, string>>
}

interface StateTracker {
  readonly state: DeviceState
  apply(change: FeedChange): void
  /** Reads everything, also again after a resync. */
  read(): Promise<void>
  /** Whether a user of this name has appeared in the state. */
  knows(username: string): boolean
  /** Resolves when all reads in progress have finished. */
  settled(): Promise<void>
  stop(): void
}

/** Maintains the state of a device as the app does. */
export function createStateTracker(person: Person): StateTracker {
  const state: DeviceState = {
    friends: new Map(),
    requests: new Set(),
    pings: new Map(),
    answers: new Map(),
    chats: new Map(),
  }
  const friendOf = new Map<string, UserId>()
  const names = new Set<string>()
  const erased = new Set<MessageId>()
  const reads = new Set<Promise<void>>()
  /** Changes that arrived during a full read. */
  const early: FeedChange[] = []
  let isStopped = false
  let isRead = false
  let readCount = 0

  return {
    state,
    apply(change) {
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

  function track(work: Promise<void>): void {
    const read: Promise<void> = work.finally(() => reads.delete(read))
    reads.add(read)
  }

  async function settled(): Promise<void> {
    while (reads.size > 0) await Promise.all(reads)
  }

  /** Reads everything. If two reads overlap, the later one wins. */
  async function readAll(): Promise<void> {
    const reading = ++readCount
    isRead = false
    const [friends, received, sent, pings, summaries] = await Promise.all([
      person.call(listFriends, {}),
      person.call(listReceivedRequests, {}),
      person.call(listSentRequests, {}),
      person.call(listPings, { query: {} }),
      person.call(listConversationSummaries, {}),
    ])
    if (reading !== readCount || isStopped) return
    for (const part of Object.values(state)) part.clear()
    for (const { id, user_id, is_online } of friends?.body ?? []) {
      friendOf.set(id, user_id)
      state.friends.set(user_id, is_online)
    }
    for (const { id } of [...(received?.body ?? []), ...(sent?.body ?? [])]) state.requests.add(id)
    for (const ping of pings?.body ?? []) {
      state.pings.set(ping.id, { status: ping.status, hasImage: ping.has_image, expiresAt: ping.expires_at })
      state.answers.set(ping.id, new Map(ping.responses.map((one) => [one.user_id, one.response_type])))
    }
    for (const { id } of summaries?.body ?? []) await readChat(id)
    if (reading !== readCount) return
    isRead = true
    for (const change of early.splice(0)) apply(change)
  }

  async function readChat(id: ConversationId): Promise<void> {
    const messages = state.chats.get(id) ?? new Map<MessageId, string>()
    state.chats.set(id, messages)
    for (let before: MessageId | undefined; ; ) {
      const query = { limit: 100, ...(before !== undefined && { before }) }
      // The conversation may be deleted before it is read.
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
        if (state.friends.has(change.new.id)) state.friends.set(change.new.id, change.new.is_online)
        return
      case 'friendships': {
        if (change.eventType === 'DELETE') {
          const friend = friendOf.get(change.old.id ?? '')
          if (friend) state.friends.delete(friend)
          return
        }
        const { id, requester_id, requested_id } = change.new
        const friend = requester_id === person.id ? requested_id : requester_id
        friendOf.set(id, friend)
        if (!state.friends.has(friend)) state.friends.set(friend, false)
        return
      }
      case 'friend_requests':
        if (change.eventType === 'DELETE') state.requests.delete(change.old.id ?? '')
        else if (change.new.status === 'pending') state.requests.add(change.new.id)
        else state.requests.delete(change.new.id)
        return
      case 'location_pins': {
        if (change.eventType === 'DELETE') {
          state.pings.delete(change.old.id as PingId)
          state.answers.delete(change.old.id as PingId)
          return
        }
        const { id, status, has_image, expires_at, created_at } = change.new
        // Earlier responses to a ping that becomes visible again are known only after a full read.
        const isNew = !state.pings.has(id) && Date.now() - Date.parse(created_at) < 3000
        if (isNew && change.eventType === 'INSERT') state.answers.set(id, new Map())
        state.pings.set(id, { status, hasImage: has_image, expiresAt: expires_at })
        return
      }
      case 'ping_responses':
        if (change.eventType === 'DELETE')
          state.answers.get(change.old.ping_id as PingId)?.delete(change.old.user_id as UserId)
        else state.answers.get(change.new.ping_id)?.set(change.new.user_id, change.new.response_type)
        return
      case 'messages': {
        if (change.eventType === 'DELETE') {
          erased.add(change.old.id as MessageId)
          for (const messages of state.chats.values()) messages.delete(change.old.id as MessageId)
          return
        }
        const { id, conversation_id, seq, sender_id, content } = change.new
        state.chats.get(conversation_id)?.set(id, `${seq} ${sender_id} ${content}`)
        return
      }
      case 'chats': {
        if (change.eventType === 'DELETE') {
          state.chats.delete(change.old.id as ConversationId)
          return
        }
        const { id } = change.new
        if (state.chats.has(id)) return
        track(readChat(id))
        return
      }
      case 'message_read_receipts':
        return
    }
  }
}
