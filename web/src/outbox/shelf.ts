import { type UserId } from '@hither/contract/ids.ts'
import { createStore, type UseStore } from 'idb-keyval'
import { sessionState, subscribeToSession } from '../auth/session.ts'

/** What this device keeps of the signed-in person for them alone, pictures too, until it is sent. Every tab has the same. */
export interface Shelf<Item> {
  /** As last read; the same array until something changes. */
  items: () => readonly Item[]
  /** Calls back after a change here or in another tab. */
  subscribe: (listener: () => void) => () => void
  reread: () => Promise<void>
  /** At once for all tabs: what `change` is given is what is kept. Does nothing where this person is not signed in. */
  edit: (owner: UserId, change: (items: readonly Item[]) => readonly Item[]) => Promise<void>
}

const prefix = 'hither-outbox'
const database = openDatabase()
/** Where the browser keeps nothing, or is full: as long as the tab lives. */
const memory = new Map<string, readonly unknown[]>()
const tabs = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(prefix)
const rereaders = new Set<() => Promise<void>>()

if (tabs !== null) {
  // Under Node, it would keep the process from ending.
  if ('unref' in tabs && typeof tabs.unref === 'function') tabs.unref()
  tabs.addEventListener('message', () => void rereadAll())
}

export function createShelf<Item>(name: string): Shelf<Item> {
  const listeners = new Set<() => void>()
  let owner: UserId | undefined
  let items: readonly Item[] = []
  let reads = 0

  function current(): readonly Item[] {
    const userId = sessionState().user?.id
    if (userId !== owner) {
      owner = userId
      items = []
      void reread()
    }
    return items
  }

  async function reread() {
    const userId = sessionState().user?.id
    const read = ++reads
    const found = userId === undefined ? [] : ((await readKept(keyOf(userId, name))) as readonly Item[])
    // A later read knows more.
    if (read === reads && userId === sessionState().user?.id) publish(userId, found)
  }

  function publish(userId: UserId | undefined, next: readonly Item[]) {
    const isSame = userId === owner && items.length === 0 && next.length === 0
    owner = userId
    items = next
    if (!isSame) for (const listener of [...listeners]) listener()
  }

  rereaders.add(reread)
  return {
    items: current,
    reread,
    subscribe(listener) {
      listeners.add(listener)
      const unsubscribe = subscribeToSession(listener)
      return () => {
        unsubscribe()
        listeners.delete(listener)
      }
    },
    async edit(userId, change) {
      if (sessionState().user?.id !== userId) return
      const next = await editKept(keyOf(userId, name), (kept) => change(kept as readonly Item[]))
      reads++
      if (sessionState().user?.id === userId) publish(userId, next as readonly Item[])
      tabs?.postMessage(null)
    },
  }
}

/** Of this person, or of everybody but this person. */
export async function clearShelves({ of, butOf }: { of?: UserId; butOf?: UserId }): Promise<void> {
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

function keyOf(userId: UserId, name: string): string {
  return `${userId}:${name}`
}

async function readKept(key: string): Promise<readonly unknown[]> {
  const remembered = memory.get(key)
  if (remembered !== undefined || database === null) return remembered ?? []
  try {
    return await database('readonly', (objects) => {
      const reading = objects.get(key)
      return done(objects).then(() => listOf(reading.result))
    })
  } catch {
    return []
  }
}

async function editKept(key: string, change: (kept: readonly unknown[]) => readonly unknown[]) {
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
      // The tab remembers it instead.
    }
  }
  const next = change(await readKept(key))
  memory.set(key, next)
  return next
}

async function rereadAll() {
  await Promise.all([...rereaders].map((reread) => reread()))
}

function listOf(kept: unknown): readonly unknown[] {
  return Array.isArray(kept) ? kept : []
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
    return typeof indexedDB === 'undefined' ? null : createStore(prefix, 'waiting')
  } catch {
    return null
  }
}
