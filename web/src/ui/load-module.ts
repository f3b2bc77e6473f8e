const retryAfterMs = 300
const reloadPauseMs = 60_000
const reloadedAtKey = 'reloaded_at'

let isReloading = false

/**
 * Runs a dynamic import, and once more after 300 ms if it fails. Every dynamic import that the screen needs goes through this
 * function.
 *
 * If the second attempt fails too, the page is reloaded, because a deployment removes the files that an older page names. The
 * promise then stays pending. It rejects with the error of the second attempt if the browser is offline, or if the page was
 * reloaded for this reason during the last 60 seconds.
 */
export async function loadModule<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch {
    await new Promise((resolve) => setTimeout(resolve, retryAfterMs))
  }
  try {
    return await load()
  } catch (error) {
    if (!isReloading && !startReload()) throw error
    return new Promise<never>(() => undefined)
  }
}

/**
 * As `loadModule`, for a part of a screen: without a network it waits for one and tries again, and the rest of the screen can be
 * used meanwhile.
 */
export async function loadPart<Module>(load: () => Promise<Module>): Promise<Module> {
  for (;;) {
    try {
      return await loadModule(load)
    } catch (error) {
      if (navigator.onLine) throw error
    }
    await new Promise((resolve) => window.addEventListener('online', resolve, { once: true }))
  }
}

/** Returns false if the page must not be reloaded. */
function startReload(): boolean {
  if (!navigator.onLine) return false
  try {
    const reloadedAtMs = Number(sessionStorage.getItem(reloadedAtKey) ?? 0)
    if (Date.now() - reloadedAtMs < reloadPauseMs) return false
    sessionStorage.setItem(reloadedAtKey, String(Date.now()))
  } catch {
    // Without the time of the last reload, the page could reload forever.
    return false
  }
  isReloading = true
  location.reload()
  return true
}
