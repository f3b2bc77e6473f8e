import { type ConversationId, type UserId } from '@hither/contract/ids.ts'
import { useMemo, useSyncExternalStore } from 'react'
import { sessionState, subscribeToSession } from '../auth/session.ts'
import { keyOf, readKept, writeKept } from './kept.ts'

/** A message on its way. `client_id` makes the server take it once, however often it is sent. */
export interface Outgoing {
  client_id: string
  conversation_id: ConversationId
  content: string
  created_at: string
  state: 'waiting' | 'failed'
  /** Why the server refused it. */
  reason?: string
}

type Listener = () => void

let owner: UserId | undefined
let items: readonly Outgoing[] = []
const listeners = new Set<Listener>()

/** What waits in a conversation, in the order of writing. */
export function useOutbox(conversationId: ConversationId): readonly Outgoing[] {
  const all = useSyncExternalStore(subscribeToOutbox, outbox)
  return useMemo(() => all.filter((item) => item.conversation_id === conversationId), [all, conversationId])
}

export function outbox(): readonly Outgoing[] {
  const userId = sessionState().user?.id
  if (userId !== owner) {
    owner = userId
    items = read(userId)
  }
  return items
}

/** Calls back after a change here or in another tab. */
export function subscribeToOutbox(listener: Listener): () => void {
  if (listeners.size === 0 && typeof window !== 'undefined') window.addEventListener('storage', handleStorage)
  listeners.add(listener)
  const unsubscribe = subscribeToSession(listener)
  return () => {
    unsubscribe()
    listeners.delete(listener)
    if (listeners.size === 0 && typeof window !== 'undefined') window.removeEventListener('storage', handleStorage)
  }
}

export function putIntoOutbox(item: Outgoing) {
  change((items) => [...items, item])
}

export function takeOutOfOutbox(clientId: string) {
  change((items) => items.filter(({ client_id }) => client_id !== clientId))
}

export function failOutgoing(clientId: string, reason: string) {
  change((items) => items.map((item) => (item.client_id === clientId ? { ...item, state: 'failed', reason } : item)))
}

/** In its old place, so that what was written first goes out first. */
export function retryOutgoing(clientId: string) {
  change((items) => items.map((item) => (item.client_id === clientId ? waiting(item) : item)))
}

/** Another tab may have changed what is stored, unheard as yet. */
export function rereadOutbox() {
  owner = sessionState().user?.id
  items = read(owner)
}

function change(edit: (items: readonly Outgoing[]) => readonly Outgoing[]) {
  outbox()
  if (owner === undefined) return
  items = edit(read(owner))
  writeKept('outbox', owner, items)
  for (const listener of [...listeners]) listener()
}

function waiting({ reason: _reason, ...item }: Outgoing): Outgoing {
  return { ...item, state: 'waiting' }
}

function read(userId: UserId | undefined): readonly Outgoing[] {
  const kept = userId === undefined ? null : readKept('outbox', userId)
  return Array.isArray(kept) ? kept.filter(isOutgoing) : []
}

function isOutgoing(item: unknown): item is Outgoing {
  if (typeof item !== 'object' || item === null) return false
  const { client_id, conversation_id, content, state } = item as Partial<Outgoing>
  return [client_id, conversation_id, content].every((text) => typeof text === 'string') && state !== undefined
}

function handleStorage(event: StorageEvent) {
  if (owner === undefined || (event.key !== null && event.key !== keyOf('outbox', owner))) return
  rereadOutbox()
  for (const listener of [...listeners]) listener()
}
