export interface TextStorage {
  getItem: (key: string) => string | null
  /** Returns false if the value is in memory only, and lost with the page. */
  setItem: (key: string, value: string) => boolean
  /** Returns false if the value is gone for this page only: the device still has it. */
  removeItem: (key: string) => boolean
  /** All keys, those in memory included. */
  keys: () => readonly string[]
}

/** What this device stores for all tabs. */
export const deviceStorage = openStorage(() => globalThis.localStorage)
/** What this tab stores; a reload keeps it. */
export const tabStorage = openStorage(() => globalThis.sessionStorage)

/**
 * A storage that never throws. Browsers refuse to read or to write in some privacy modes and when the storage is full; what could
 * not be written is kept in memory.
 */
function openStorage(find: () => Storage | undefined): TextStorage {
  /** Null stands for a value that could not be removed. */
  const memory = new Map<string, string | null>()

  function attempt<T>(use: (storage: Storage) => T): T | undefined {
    try {
      const storage = find()
      return storage === undefined ? undefined : use(storage)
    } catch {
      return undefined
    }
  }

  function write(key: string, value: string | null): boolean {
    const isStored = attempt((storage) => {
      if (value === null) storage.removeItem(key)
      else storage.setItem(key, value)
      return true
    })
    if (isStored) memory.delete(key)
    else memory.set(key, value)
    return isStored === true
  }

  return {
    getItem(key) {
      const remembered = memory.get(key)
      return remembered !== undefined ? remembered : (attempt((storage) => storage.getItem(key)) ?? null)
    },
    setItem: write,
    removeItem: (key) => write(key, null) || (attempt((storage) => storage.getItem(key)) ?? null) === null,
    keys() {
      const stored = attempt((storage) => Object.keys(storage)) ?? []
      return [...new Set([...stored, ...memory.keys()])].filter((key) => memory.get(key) !== null)
    },
  }
}
