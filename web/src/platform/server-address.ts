import { limitTime } from '../device/time-limit.ts'

/** Returns the origin for an address that the user has typed; null if it is not an allowed address. */
export function originOf(text: string): string | null {
  const typed = text.trim()
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`
  if (typed === '' || !URL.canParse(address)) return null
  const { protocol, hostname, origin, username, password } = new URL(address)
  if (username !== '' || password !== '') return null
  // Plain HTTP is allowed only for the device itself, where a developer runs the server.
  const isOwn = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return protocol === 'https:' || (protocol === 'http:' && isOwn) ? origin : null
}

/** Returns true if a Hither server responds at this origin. Redirects are not followed. */
export async function isHitherServer(origin: string, signal?: AbortSignal): Promise<boolean> {
  const limit = limitTime(10_000, signal)
  try {
    const response = await fetch(`${origin}/api/config`, {
      headers: { Accept: 'application/json' },
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
      signal: limit.signal,
    })
    if (!response.ok) return false
    const answer: unknown = await response.json().catch(() => null)
    return (
      typeof answer === 'object' && answer !== null && 'version' in answer && 'features' in answer && 'map' in answer
    )
  } finally {
    limit.end()
  }
}
