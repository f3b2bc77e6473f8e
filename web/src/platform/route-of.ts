const pin = /^\/pins\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/?$/i
const invitation = /^\/invite\/([\w-]{1,100})\/?$/

/**
 * The place in the app that a link from outside leads to; null for every link that is not plainly one of this server's own.
 * Anybody may hand the app a link, so nothing of it goes on but what is recognised: no query, no fragment, no other path.
 */
export function routeOf(link: unknown, hosts: readonly string[]): string | null {
  if (typeof link !== 'string' || !URL.canParse(link)) return null
  const { protocol, host, username, password, pathname } = new URL(link)
  if (protocol !== 'https:' || !hosts.includes(host) || username !== '' || password !== '') return null
  const id = pin.exec(pathname)?.[1]
  if (id !== undefined) return `/pins/${id.toLowerCase()}`
  const code = invitation.exec(pathname)?.[1]
  return code === undefined ? null : `/invite/${code}`
}
