import { uuidPattern } from '@hither/contract/runtime/uuid.ts'

const places = new RegExp(`^/(?:chat|friends|profile|(?:chat|pins)/${uuidPattern})?$`, 'i')
const tabs = /^\?tab=(?:received|sent)$/
const base = 'https://app.invalid'

/** Returns the path of the app that a notification opens. Every other value leads to the home screen. */
export function pathOf(url: unknown): string {
  if (typeof url !== 'string' || !url.startsWith('/') || !URL.canParse(url, base)) return '/'
  const { origin, pathname, search } = new URL(url, base)
  if (origin !== base || !places.test(pathname)) return '/'
  return pathname === '/friends' && tabs.test(search) ? pathname + search : pathname
}
