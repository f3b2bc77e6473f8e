import type { UserId } from '@hither/contract/ids.ts'
import { createStore as createKeyStore, type UseStore } from 'idb-keyval'
import { createStore } from 'zustand'
import { sessionState, subscribeToSession } from '../session/session.ts'

/**
 * Items of the signed-in user, pictures included, that are stored in IndexedDB until they are sent. All tabs share one queue.
 */
export interface PersistentQueue<Item> {
  /** As last read; the same array until something changes. */
  items: () => readonly Item[]
  /** Calls back after a change here or in another tab. */
  subscribe: (listener: () => void) => () => void
  reread: () => Promise<void>
  /** Reads, changes and stores the items in one transaction, for all tabs. Does nothing unless `owner` is signed in. */
  edit: (owner: UserId, change: (items: readonly Item[]) => readonly Item[]) => Promise<void>
}

const prefix = 'hither-outbox'
const database = openDatabase()
/** Replaces IndexedDB where the browser has none or it is full. Lost when the tab is closed. */
const memory = new Map<string, readonly unknown[]>()
const tabs = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(prefix)
let hasFailed = false
const rereaders = new Set<() => Promise<void>>()

if (tabs !== null) {
  // Under Node, an open channel would prevent the process from exiting.
  if ('unref' in tabs && typeof tabs.unref === 'function') tabs.unref()
  tabs.addEventListener('message', () => void rereadAll())
}

export function createPersistentQueue<Item>(name: string): PersistentQueue<Item> {
  const store = createStore<{ owner: UserId | undefined; items: readonly Item[] }>(() => ({
    owner: undefined,
    items: [],
  }))
  let reads = 0

  function followSession() {
    const owner = sessionState().user?.id
    if (owner === store.getState().owner) return
    store.setState({ owner, items: [] })
    void reread()
  }

  async function reread() {
    const userId = sessionState().user?.id
    const read = ++reads
    const found = userId === undefined ? [] : ((await readStored(keyOf(userId, name))) as readonly Item[])
    // The result of an outdated read is ignored.
    if (read === reads && userId === sessionState().user?.id) publish(userId, found)
  }

  function publish(owner: UserId | undefined, items: readonly Item[]) {
    const before = store.getState()
    const isSame = owner === before.owner && items.length === 0 && before.items.length === 0
    if (!isSame) store.setState({ owner, items })
  }

  rereaders.add(reread)
  followSession()
  subscribeToSession(followSession)
  return {
    items: () => store.getState().items,
    reread,
    subscribe: store.subscribe,
    async edit(userId, change) {
      if (sessionState().user?.id !== userId) return
      const next = await editStored(keyOf(userId, name), (stored) => change(stored as readonly Item[]))
      reads++
      if (sessionState().user?.id === userId) publish(userId, next as readonly Item[])
      tabs?.postMessage(null)
    },
  }
}

/** Deletes the items of the user `of`, or of every user except `butOf`. */
export async function clearPersistentQueues({ of, butOf }: { of?: UserId; butOf?: UserId }): Promise<void> {
  const isMeant = (key: string) =>
    (of === undefined || key.startsWith(`${of}:`)) && (butOf === undefined || !key.startsWith(`${butOf}:`))
  for (const key of [...memory.keys()].filter(isMeant)) memory.delete(key)
  await database?.('readwrite', (objects) => {
    const reading = objects.getAllKeys()
    reading.onsuccess = () => {
      for (const key of reading.result) if (isMeant(String(key))) objects.delete(key)
    }
    return done(objects)
  }).catch(() => undefined)
  await rereadAll()
  tabs?.postMessage(null)
}

/** Returns false if items are lost when the tab is closed. */
export function isStoragePersistent(): boolean {
  return database !== null && !hasFailed
}

function keyOf(userId: UserId, name: string): string {
  return `${userId}:${name}`
}

async function readStored(key: string): Promise<readonly unknown[]> {
  const remembered = memory.get(key)
  if (remembered !== undefined || database === null) return remembered ?? []
  try {
    return await database('readonly', (objects) => {
      const reading = objects.get(key)
      return done(objects).then(() => listOf(reading.result))
    })
  } catch {
    hasFailed = true
    return []
  }
}

async function editStored(key: string, change: (stored: readonly unknown[]) => readonly unknown[]) {
  if (database !== null && !memory.has(key)) {
    try {
      return await database('readwrite', (objects) => {
        let next: readonly unknown[] = []
        const reading = objects.get(key)
        reading.onsuccess = () => {
          next = change(listOf(reading.result))
          if (next.length === 0) objects.delete(key)
          else objects.put(next, key)
        }
        return done(objects).then(() => next)
      })
    } catch {
      hasFailed = true
      // The items are stored in memory instead.
    }
  }
  const stored = await readStored(key)
  // Another edit may have changed the items in memory meanwhile.
  const next = change(memory.get(key) ?? stored)
  memory.set(key, next)
  return next
}

async function rereadAll() {
  await Promise.all([...rereaders].map((reread) => reread()))
}

function listOf(stored: unknown): readonly unknown[] {
  return Array.isArray(stored) ? stored : []
}

function done({ transaction }: IDBObjectStore): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onerror = () => reject(transaction.error)
    transaction.onabort = () => reject(transaction.error)
  })
}

function openDatabase(): UseStore | null {
  try {
    return typeof indexedDB === 'undefined' ? null : createKeyStore(prefix, 'waiting')
  } catch {
    return null
  }
}
