import { setBaseAddress } from '../api/base-address.ts'
import { clearStoredSession, setSessionStorage } from '../api/stored-session.ts'
import { Preferences } from './native-plugins.ts'
import { clearSecureSession, openSecureSession } from './native-session.ts'
import { originOf } from './server-address.ts'

const serverKey = 'server'
const installedKey = 'installed'

let settled: () => Promise<void> = async () => undefined

/** Returns the server's origin with its session loaded; null if no server has been chosen. */
export async function restoreServer(): Promise<string | null> {
  await clearFormerInstallation()
  const { value } = await Preferences.get({ key: serverKey })
  const origin = originOf(value ?? '')
  if (origin === null) return null
  setBaseAddress(origin)
  const session = await openSecureSession(origin)
  settled = session.settled
  setSessionStorage(session.storage)
  return origin
}

/** Reloads the page with another server, so that no data of the former server remains. */
export async function chooseServer(origin: string): Promise<void> {
  clearStoredSession()
  await settled()
  await clearSecureSession()
  await Preferences.set({ key: serverKey, value: origin })
  location.replace('/login')
}

/** The iOS keychain outlives the app. Its entries of a former installation must not be used. */
async function clearFormerInstallation(): Promise<void> {
  const { value } = await Preferences.get({ key: installedKey })
  if (value !== null) return
  await clearSecureSession()
  await Preferences.set({ key: installedKey, value: 'yes' })
}
