import { type SessionStorage } from '../api/stored-session.ts'
import { KeychainAccess, SecureStorage } from './native-plugins.ts'

const key = 'session'

interface Kept {
  /** A session is for the server that gave it, and is shown to no other. */
  server: string
  values: Record<string, string>
}

/**
 * The session as the phone's key store keeps it: read once, then at hand. Reading is not to wait for a disk, so what is
 * written follows, in order; `settled` resolves when it is down.
 */
export async function openSecureSession(
  server: string,
): Promise<{ storage: SessionStorage; settled(): Promise<void> }> {
  // No backup of an iPhone takes it to another.
  await SecureStorage.setDefaultKeychainAccess(KeychainAccess.whenUnlockedThisDeviceOnly)
  const values = new Map(Object.entries(await readKept(server)))
  let writing: Promise<void> = Promise.resolve()
  let isDue = false

  function write() {
    if (isDue) return
    isDue = true
    writing = writing.then(async () => {
      isDue = false
      const kept: Kept = { server, values: Object.fromEntries(values) }
      // Where the phone refuses, the session lasts as long as the app is open.
      await (values.size === 0
        ? SecureStorage.removeItem(key)
        : SecureStorage.setItem(key, JSON.stringify(kept))
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
    },
  }
  return { storage, settled: () => writing }
}

export async function forgetSecureSession(): Promise<void> {
  await SecureStorage.removeItem(key).catch(() => undefined)
}

async function readKept(server: string): Promise<Record<string, string>> {
  try {
    const kept = JSON.parse((await SecureStorage.getItem(key)) ?? 'null') as Kept | null
    if (kept?.server === server) return kept.values
  } catch {
    // A key that is gone with its data, as after a restore on another phone, or a record of no use: as if there were none.
  }
  await forgetSecureSession()
  return {}
}
