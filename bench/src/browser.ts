import { existsSync } from 'node:fs'
import { type AuthSession } from '@hither/contract/auth.ts'

export const executablePath =
  process.env['CHROMIUM_PATH'] ?? ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync) ?? ''

/** Draws the map without a graphics card. */
export const drawingArgs = [
  '--no-sandbox',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist',
]

/** A context that begins with this is one in which this person has signed in. */
export function storageOf(url: string, session: AuthSession) {
  const localStorage = Object.entries(entriesOf(session)).map(([name, value]) => ({ name, value }))
  return { cookies: [], origins: [{ origin: url, localStorage }] }
}

/** What the app keeps of who has signed in. */
export function entriesOf({ access_token, refresh_token, expires_at, user }: AuthSession): Record<string, string> {
  return { access_token, refresh_token, expires_at: String(expires_at), user: JSON.stringify(user) }
}
