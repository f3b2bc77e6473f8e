import { uuidPattern } from '@hither/contract/runtime/uuid.ts'

const pin = new RegExp(`^/pins/(${uuidPattern})/?$`, 'i')
const guest = /^#guest=[\w-]{43}$/
const friendLink = /^#[\w-]{22}(?:\.[\w-]{0,128})?$/
const signedIn = /^hither:\/\/signed-in\/?#((?:code|error)=[\w-]{1,100})(?:&return_to=[^&#]*)?$/
/** Earlier links have the code in the path. */
const invitation = /^\/invite\/(?:([\w-]{1,100})\/?|#([\w-]{1,100}))$/

/**
 * Returns the path of the app for the link with which a provider's page leads back to the app; null for every other link. Older
 * web views read no host from an address of this scheme, so the text is compared. The app knows itself where to return.
 */
export function signedInRouteOf(link: unknown): string | null {
  const fragment = typeof link === 'string' ? signedIn.exec(link)?.[1] : undefined
  return fragment === undefined ? null : `/signed-in#${fragment}`
}

/**
 * Returns the path of the app for an external link; null for every link that is not one of this server. Anyone can send
 * a link to the app, so only recognized parts are used: no query, no other path, and as the fragment only the code of a
 * friend link or invitation, or the guest token of a ping.
 */
export function routeOf(link: unknown, hosts: readonly string[]): string | null {
  if (typeof link !== 'string' || !URL.canParse(link)) return null
  const { protocol, host, username, password, pathname, hash } = new URL(link)
  if (protocol !== 'https:' || !hosts.includes(host) || username !== '' || password !== '') return null
  const id = pin.exec(pathname)?.[1]
  if (id !== undefined) return `/pins/${id.toLowerCase()}${guest.test(hash) ? hash : ''}`
  if (/^\/add\/?$/.test(pathname) && friendLink.test(hash)) return `/add${hash}`
  const [, former, code = former] = invitation.exec(pathname === '/invite/' ? pathname + hash : pathname) ?? []
  return code === undefined ? null : `/invite/#${code}`
}
