/** The origin of the server: the one that served the app, unless the build names another. */
let origin = (import.meta.env?.VITE_API_URL ?? globalThis.location?.origin ?? '').replace(/\/+$/, '')

export function apiAddress(path: string): string {
  return `${origin}/api${path}`
}

/** The origin without a trailing slash. */
export function serverOrigin(): string {
  return origin
}

/** For tests, and for shells that learn the server at run time. */
export function setBaseAddress(address: string) {
  origin = address.replace(/\/+$/, '')
}
