import { setBaseAddress } from '../api/base-address.ts'
import { clearStoredSession, keepSessionIn } from '../api/stored-session.ts'
import { Preferences } from './native-plugins.ts'
import { forgetSecureSession, openSecureSession } from './native-session.ts'
import { originOf } from './server-address.ts'

const serverKey = 'server'
const installedKey = 'installed'

let settled: () => Promise<void> = async () => undefined

/** Returns the server's origin, with its session at hand; null where none has been chosen yet. */
export async function restoreServer(): Promise<string | null> {
  await forgetFormerInstallation()
  const { value } = await Preferences.get({ key: serverKey })
  const origin = originOf(value ?? '')
  if (origin === null) return null
  setBaseAddress(origin)
  const session = await openSecureSession(origin)
  settled = session.settled
  keepSessionIn(session.storage)
  return origin
}

/** Begins anew with the other server: nothing that was read from the one before is left in the page. */
export async function chooseServer(origin: string): Promise<void> {
  clearStoredSession()
  await settled()
  await forgetSecureSession()
  await Preferences.set({ key: serverKey, value: origin })
  location.replace('/login')
}

/** The key store of iOS outlives the app; what a former installation left there is nobody's. */
async function forgetFormerInstallation(): Promise<void> {
  const { value } = await Preferences.get({ key: installedKey })
  if (value !== null) return
  await forgetSecureSession()
  await Preferences.set({ key: installedKey, value: 'yes' })
}
