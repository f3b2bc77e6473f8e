/** The locks that all tabs share; null on pages without HTTPS and in older browsers. */
export function sharedLocks(): LockManager | null {
  return (globalThis.navigator?.locks as LockManager | undefined) ?? null
}
