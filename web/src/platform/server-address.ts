import { getConfig } from '@hither/contract/config.ts'

/** What somebody typed, as the origin of a server; null where it is no address that may be spoken to. */
export function originOf(text: string): string | null {
  const typed = text.trim()
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`
  if (typed === '' || !URL.canParse(address)) return null
  const { protocol, hostname, origin, username, password } = new URL(address)
  if (username !== '' || password !== '') return null
  // In the clear only to the device itself, where a developer's server is.
  const isOwn = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return protocol === 'https:' || (protocol === 'http:' && isOwn) ? origin : null
}

/** Whether a Hither server answers there. What it leads on to is another address, and is not followed. */
export async function isHitherServer(origin: string, signal?: AbortSignal): Promise<boolean> {
  const response = await fetch(`${origin}/api${getConfig.path}`, {
    headers: { Accept: 'application/json' },
    cache: 'no-store',
    credentials: 'omit',
    redirect: 'error',
    signal: AbortSignal.any([AbortSignal.timeout(10_000), ...(signal ? [signal] : [])]),
  })
  if (!response.ok) return false
  const answer: unknown = await response.json().catch(() => null)
  return typeof answer === 'object' && answer !== null && 'version' in answer && 'features' in answer && 'map' in answer
}
