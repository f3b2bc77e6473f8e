import { type UserId } from '@hither/contract/ids.ts'
import { type BusMessage, type Change } from './bus.ts'

/** Held from just before a commit until what it changed has been announced, or never will be. */
export interface Turn {
  end(): void
}

/**
 * Who changes the same thing one after another is heard in that order. A transaction that waited for another one's rows
 * comes here only after that has committed, and so gets its turn only after that has been announced.
 */
export interface Turns {
  /** To be asked for as the last thing before what is sent with the commit. Never rejects. `audience`: who would be told. */
  take(groups: readonly string[], audience: readonly UserId[]): Promise<Turn>
}

/** Of one node. */
export function createLocalTurns(): Turns {
  /** By group, the end of the last turn that was asked for. */
  const ends = new Map<string, Promise<void>>()
  return {
    async take(groups) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const before = groups.map((group) => ends.get(group))
      // All at once: of two that ask for the same groups one is first in each.
      for (const group of groups) ends.set(group, promise)
      await Promise.all(before)
      return {
        end() {
          resolve()
          for (const group of groups) if (ends.get(group) === promise) ends.delete(group)
        },
      }
    },
  }
}

/** What the messages change, each once. Of what is in none of them the order does not matter. */
export function groupsOf(messages: readonly BusMessage[]): string[] {
  return [...new Set(messages.flatMap(groupsOfMessage))].sort()
}

export function audienceOf(messages: readonly BusMessage[]): UserId[] {
  return [
    ...new Set(
      messages.flatMap((message) =>
        message.kind === 'changes' ? message.changes.flatMap(({ audience }) => audience) : [],
      ),
    ),
  ]
}

function groupsOfMessage(message: BusMessage): string[] {
  switch (message.kind) {
    case 'changes':
      return message.changes.map(groupOf)
    case 'friends_changed':
      return [pair(...message.userIds)]
    case 'membership_ended':
      return [`chat ${message.conversationId}`]
    default:
      return []
  }
}

function groupOf(change: Change): string {
  switch (change.table) {
    case 'location_pins':
      return `ping ${(change.record ?? change.oldRecord).id}`
    case 'ping_responses':
      return `ping ${(change.record ?? change.oldRecord).ping_id}`
    case 'chats':
      return `chat ${(change.record ?? change.oldRecord).id}`
    case 'messages':
    case 'message_read_receipts':
      return `chat ${(change.record ?? change.oldRecord).conversation_id}`
    case 'users':
      return `user ${(change.record ?? change.oldRecord).id}`
    case 'friend_requests': {
      const { from_user_id, to_user_id } = change.record ?? change.oldRecord
      return pair(from_user_id, to_user_id)
    }
    case 'friendships': {
      const { requester_id, requested_id } = change.record ?? change.oldRecord
      return pair(requester_id, requested_id)
    }
  }
}

function pair(a: UserId, b: UserId): string {
  return `friends ${[a, b].sort().join(' ')}`
}
