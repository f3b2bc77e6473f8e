import type { Page } from '@playwright/test'

/** The contents of the databases that the app has made on this device, or of the one with this name, as text. Makes none. */
export function databasesOn(page: Page, only?: string): Promise<string> {
  return page.evaluate(async (only) => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const texts: string[] = []
    for (const { name = '' } of await indexedDB.databases()) {
      if (only !== undefined && name !== only) continue
      const database = await done(indexedDB.open(name))
      for (const store of database.objectStoreNames)
        texts.push(JSON.stringify(await done(database.transaction(store).objectStore(store).getAll())))
      database.close()
    }
    return texts.join('\n')
  }, only)
}
