/**
 * One store of values in IndexedDB. A promise of `run` rejects if the database cannot be used or does not answer within
 * `databaseWithinMs`; nothing was changed then.
 */
interface Database {
  /**
   * Runs requests in one transaction. `work` starts them, and the function that it returns reads their results at the end. If the
   * page is left meanwhile, all of it is repeated when the page is shown again, unless it `commits`: then the requests do not
   * depend on each other, and finish after the page.
   */
  run: <T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => () => T, commits?: 'commits') => Promise<T>
  /** Calls back when a database that did not answer in time does answer. */
  onReturn: (listener: () => void) => void
}

/** The time for opening a database and for each transaction, in milliseconds. */
export const databaseWithinMs = 2000

type Work<T> = (store: IDBObjectStore) => () => T

const running = new Set<IDBTransaction>()
/** Resolves when the page is shown again. Null unless the page was left. */
let pageShown: Promise<void> | null = null

// In WebKit, a database stays blocked for all later pages if a page is left during a transaction.
globalThis.addEventListener?.('pagehide', () => {
  pageShown ??= new Promise((resolve) => {
    globalThis.addEventListener(
      'pageshow',
      () => {
        pageShown = null
        resolve()
      },
      { once: true },
    )
  })
  for (const transaction of [...running]) abort(transaction)
})

export function openDatabase(name: string, storeName: string): Database {
  let opening: Promise<IDBDatabase> | null = null
  /** Nothing waits for a database that did not answer the last time. */
  let isLate = false
  const listeners = new Set<() => void>()

  function noteLate() {
    isLate = true
  }

  function noteAnswer() {
    if (!isLate) return
    isLate = false
    for (const listener of [...listeners]) listener()
  }

  function open(): Promise<IDBDatabase> {
    if (opening !== null) return opening
    const attempt = new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name)
      request.onupgradeneeded = () => request.result.createObjectStore(storeName)
      request.onerror = () => reject(request.error)
      request.onsuccess = () => {
        const database = request.result
        const forget = () => {
          if (opening === attempt) opening = null
        }
        database.onclose = forget
        database.onversionchange = () => {
          forget()
          database.close()
        }
        resolve(database)
      }
    })
    opening = attempt
    attempt.then(noteAnswer, () => {
      if (opening === attempt) opening = null
    })
    return attempt
  }

  async function run<T>(mode: IDBTransactionMode, work: Work<T>, commits?: 'commits'): Promise<T> {
    for (;;) {
      if (pageShown !== null && !commits) await pageShown
      if (isLate) throw notInTime(name)
      const database = await within(open(), noteLate, name)
      const result = await transact(database, mode, work, commits)
      if (result !== hidden) return result
    }
  }

  /** Resolves to `hidden` if the page was left meanwhile. */
  function transact<T>(database: IDBDatabase, mode: IDBTransactionMode, work: Work<T>, commits?: 'commits') {
    return new Promise<T | typeof hidden>((resolve, reject) => {
      const transaction = database.transaction(storeName, mode)
      const timer = setTimeout(() => {
        noteLate()
        abort(transaction)
        reject(notInTime(name))
      }, databaseWithinMs)
      const end = () => {
        clearTimeout(timer)
        running.delete(transaction)
        noteAnswer()
      }
      if (!commits) running.add(transaction)
      let read: () => T
      transaction.oncomplete = () => {
        end()
        resolve(read())
      }
      transaction.onabort = () => {
        end()
        if (pageShown !== null) resolve(hidden)
        else reject(transaction.error ?? new Error(`The database ${name} aborted a transaction`))
      }
      try {
        read = work(transaction.objectStore(storeName))
        if (commits) transaction.commit()
      } catch (error) {
        abort(transaction)
        reject(error)
      }
    })
  }

  return { run, onReturn: (listener) => void listeners.add(listener) }
}

/** Returns the value of a key, or undefined. */
export function readValue<T>(database: Database, key: string): Promise<T | undefined> {
  return database.run('readonly', (store) => {
    const reading = store.get(key)
    return () => reading.result as T | undefined
  })
}

export function writeValue(database: Database, key: string, value: unknown): Promise<void> {
  return database.run('readwrite', (store) => {
    store.put(value, key)
    return () => undefined
  })
}

/** Reads, changes and stores a value in one transaction. Undefined stands for none. Resolves to the value before and the new one. */
export function changeValue<T>(
  database: Database,
  key: string,
  change: (value: T | undefined) => T | undefined,
): Promise<{ before: T | undefined; after: T | undefined }> {
  return database.run('readwrite', (store) => {
    const found: { before: T | undefined; after: T | undefined } = { before: undefined, after: undefined }
    const reading = store.get(key)
    reading.onsuccess = () => {
      found.before = reading.result as T | undefined
      found.after = change(found.before)
      if (found.after === undefined) store.delete(key)
      else store.put(found.after, key)
    }
    return () => found
  })
}

/** Deletes the values of all keys, or of those that `isMeant` names. */
export function deleteValues(database: Database, isMeant: (key: string) => boolean = () => true): Promise<void> {
  return database.run('readwrite', (store) => {
    const reading = store.getAllKeys()
    reading.onsuccess = () => {
      for (const key of reading.result) if (isMeant(String(key))) store.delete(key)
    }
    return () => undefined
  })
}

const hidden = Symbol('hidden')

function abort(transaction: IDBTransaction) {
  try {
    transaction.abort()
  } catch {
    // It is already complete, or about to be.
  }
}

function within<T>(work: Promise<T>, onLate: () => void, name: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      onLate()
      reject(notInTime(name))
    }, databaseWithinMs)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

function notInTime(name: string): Error {
  return new Error(`The database ${name} did not answer in time`)
}
