/** Where the server is: the origin that served the app, unless the build names another. */
let origin = (import.meta.env?.VITE_API_URL ?? globalThis.location?.origin ?? '').replace(/\/+$/, '')

export function apiAddress(path: string): string {
  return `${origin}/api${path}`
}

/** Without a trailing slash. */
export function serverOrigin(): string {
  return origin
}

/** For tests, and for shells that learn their server at run time. */
export function setBaseAddress(address: string) {
  origin = address.replace(/\/+$/, '')
}
