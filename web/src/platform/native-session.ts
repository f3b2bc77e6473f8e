import type { SessionStorage } from '../api/stored-session.ts'
import { KeychainAccess, SecureStorage } from './native-plugins.ts'

const key = 'session'

interface StoredRecord {
  /** The origin of the server that issued the session. The session is never sent to another server. */
  server: string
  values: Record<string, string>
}

/**
 * Stores the session in the phone's keychain. It is read once and then served from memory, so that reads are
 * synchronous. Writes follow in order; `settled` resolves when they are done.
 */
export async function openSecureSession(
  server: string,
): Promise<{ storage: SessionStorage; settled(): Promise<void> }> {
  // With this access level, an iPhone backup does not copy the session to another device.
  await SecureStorage.setDefaultKeychainAccess(KeychainAccess.whenUnlockedThisDeviceOnly)
  const values = new Map(Object.entries(await readRecord(server)))
  let writing: Promise<void> = Promise.resolve()
  let isDue = false

  function write() {
    if (isDue) return
    isDue = true
    writing = writing.then(async () => {
      isDue = false
      const record: StoredRecord = { server, values: Object.fromEntries(values) }
      // If the phone refuses, the session lasts as long as the app runs.
      await (values.size === 0
        ? SecureStorage.removeItem(key)
        : SecureStorage.setItem(key, JSON.stringify(record))
      ).catch(() => undefined)
    })
  }

  const storage: SessionStorage = {
    getItem: (name) => values.get(name) ?? null,
    setItem(name, value) {
      values.set(name, value)
      write()
    },
    removeItem(name) {
      if (values.delete(name)) write()
      return true
    },
  }
  return { storage, settled: () => writing }
}

export async function clearSecureSession(): Promise<void> {
  await SecureStorage.removeItem(key).catch(() => undefined)
}

async function readRecord(server: string): Promise<Record<string, string>> {
  try {
    const record = JSON.parse((await SecureStorage.getItem(key)) ?? 'null') as StoredRecord | null
    if (record?.server === server) return record.values
  } catch {
    // A record that cannot be decrypted, as after a restore on another phone, or that is invalid counts as missing.
  }
  await clearSecureSession()
  return {}
}
