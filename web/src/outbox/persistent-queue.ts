import type { UserId } from '@hither/contract/ids.ts'
import { createStore } from 'zustand'
import { changeValue, deleteValues, openDatabase, readValue } from '../device/database.ts'
import { sessionState, subscribeToSession } from '../session/session.ts'

/**
 * Items of the signed-in user, pictures included, that are stored in IndexedDB until they are sent. All tabs share one queue.
 */
export interface PersistentQueue<Item> {
  /** As last read, with the edits that are being stored; the same array until something changes. */
  items: () => readonly Item[]
  /** Calls back after a change here or in another tab. */
  subscribe: (listener: () => void) => () => void
  /** Resolves when the items are read that are stored now, the running edits included. */
  reread: () => Promise<void>
  /**
   * Reads, changes and stores the items in one transaction, for all tabs. The items show the change at once; `change` is called
   * for what is shown and for what is stored. Does nothing unless `owner` is signed in.
   */
  edit: (owner: UserId, change: (items: readonly Item[]) => readonly Item[]) => Promise<void>
}

const prefix = 'hither-outbox'
const database = openDatabase(prefix, 'waiting')
const tabs = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(prefix)
/** Whether the database could not be used the last time: items are then in memory only. */
let hasFailed = false
const queues = new Set<{
  reread: () => Promise<void>
  returnToStorage: () => Promise<void>
  forget: (isMeant: (owner: UserId) => boolean) => void
}>()

if (tabs !== null) {
  // Under Node, an open channel would prevent the process from exiting.
  if ('unref' in tabs && typeof tabs.unref === 'function') tabs.unref()
  tabs.addEventListener('message', () => void rereadAll())
}
database.onReturn(() => {
  hasFailed = false
  for (const { returnToStorage } of queues) void returnToStorage()
})

export function createPersistentQueue<Item>(name: string): PersistentQueue<Item> {
  const store = createStore<{ owner: UserId | undefined; items: readonly Item[] }>(() => ({
    owner: undefined,
    items: [],
  }))
  const edits = new Set<Promise<void>>()
  /** The items of the accounts whose edits the database could not store, and the ids of all that were shown since. */
  const memory = new Map<UserId, { items: readonly Item[]; shown: Set<unknown> }>()
  let reads = 0

  function followSession() {
    const owner = sessionState().user?.id
    if (owner === store.getState().owner) return
    store.setState({ owner, items: (owner && memory.get(owner)?.items) ?? [] })
    void reread()
  }

  async function reread() {
    const userId = sessionState().user?.id
    const read = ++reads
    await Promise.allSettled(edits)
    const found = userId === undefined ? [] : (memory.get(userId)?.items ?? (await readStored(keyOf(userId, name))))
    // The result of an outdated read is ignored, and there is none if the database cannot be read.
    if (read === reads && found !== null && userId === sessionState().user?.id) publish(userId, found)
  }

  function publish(owner: UserId | undefined, items: readonly Item[]) {
    const before = store.getState()
    const isSame = owner === before.owner && items.length === 0 && before.items.length === 0
    if (!isSame) store.setState({ owner, items })
  }

  async function readStored(key: string): Promise<readonly Item[] | null> {
    try {
      return listOf<Item>(await readValue(database, key))
    } catch {
      hasFailed = true
      return null
    }
  }

  async function storeEdit(owner: UserId, change: (items: readonly Item[]) => readonly Item[]): Promise<void> {
    const { items: before } = store.getState()
    const changed = change(before)
    publish(owner, changed)
    if (memory.has(owner)) return remember(owner, changed)
    const read = ++reads
    try {
      const { after } = await changeItems(keyOf(owner, name), change)
      // A later edit publishes what it has stored, or has begun while nothing else was known.
      if (read === reads && sessionState().user?.id === owner) publish(owner, after)
      tabs?.postMessage(null)
    } catch {
      hasFailed = true
      // Other edits may have begun meanwhile.
      const { owner: shownTo, items } = store.getState()
      remember(owner, before)
      remember(owner, shownTo === owner ? items : changed)
    }
  }

  function remember(owner: UserId, items: readonly Item[]) {
    const shown = memory.get(owner)?.shown ?? new Set()
    for (const item of items) shown.add(idOf(item))
    memory.set(owner, { items, shown })
  }

  async function changeItems(key: string, change: (items: readonly Item[]) => readonly Item[]) {
    let after: readonly Item[] = []
    await changeValue<readonly Item[]>(database, key, (stored) => {
      after = change(listOf<Item>(stored))
      return after.length === 0 ? undefined : after
    })
    return { after }
  }

  /** Stores what was only in memory. What this page has not shown stays as it is stored. */
  async function returnToStorage() {
    const { owner } = store.getState()
    const remembered = owner && memory.get(owner)
    if (!remembered) return reread()
    const { items, shown } = remembered
    memory.delete(owner)
    await edit(owner, (stored) => [...stored.filter((item) => !shown.has(idOf(item))), ...items])
  }

  async function edit(owner: UserId, change: (items: readonly Item[]) => readonly Item[]): Promise<void> {
    if (sessionState().user?.id !== owner) return
    const storing = storeEdit(owner, change).finally(() => edits.delete(storing))
    edits.add(storing)
    await storing
  }

  function forget(isMeant: (owner: UserId) => boolean) {
    for (const owner of [...memory.keys()].filter(isMeant)) memory.delete(owner)
  }

  queues.add({ reread, returnToStorage, forget })
  followSession()
  subscribeToSession(followSession)
  return { items: () => store.getState().items, reread, subscribe: store.subscribe, edit }
}

/** Deletes the items of the user `of`, or of every user except `butOf`. */
export async function clearPersistentQueues({ of, butOf }: { of?: UserId; butOf?: UserId }): Promise<void> {
  const isMeant = (owner: string) => (of === undefined || owner === of) && (butOf === undefined || owner !== butOf)
  for (const { forget } of queues) forget(isMeant)
  await deleteValues(database, (key) => isMeant(key.split(':', 1)[0] ?? '')).catch(() => undefined)
  await rereadAll()
  tabs?.postMessage(null)
}

/** Returns false if items are lost when the tab is closed. */
export function isStoragePersistent(): boolean {
  return !hasFailed
}

function keyOf(userId: UserId, name: string): string {
  return `${userId}:${name}`
}

async function rereadAll() {
  await Promise.all([...queues].map(({ reread }) => reread()))
}

function listOf<Item>(stored: unknown): readonly Item[] {
  return Array.isArray(stored) ? stored : []
}

function idOf(item: unknown): unknown {
  const { client_id, id, ping_id } = item as { client_id?: unknown; id?: unknown; ping_id?: unknown }
  return client_id ?? id ?? ping_id
}
