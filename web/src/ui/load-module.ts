import { ownAnswerHeader } from '@hither/contract/runtime/own-answer.ts'
import { serverOrigin } from '../api/base-address.ts'
import { tabStorage } from '../device/storage.ts'
import { limitTime } from '../device/time-limit.ts'
import { loadTexts, type TextGroup } from '../i18n/texts.ts'

const retryAfterMs = 300
const tryAgainAfterMs = 5000
const reloadPauseMs = 60_000
/** A server that does not answer within this time would not serve a reload either. */
const answerWithinMs = 5000
const reloadedAtKey = 'reloaded_at'

let isReloading = false

/**
 * Runs a dynamic import, and once more after 300 ms if it fails. Every dynamic import that the screen needs goes through this
 * function.
 *
 * If the second attempt fails too although the server answers, a third one follows, because the server may have started only now.
 * If that fails as well, the page is reloaded, because a deployment removes the files that an older page names. The promise then
 * stays pending. It rejects with the error of the last attempt if the server does not answer, because a reload would then lose
 * the page, or if the page was reloaded for this reason during the last 60 seconds.
 *
 * The code runs after the texts that it names have been loaded, which is `rest` for all but the first screens.
 */
export async function loadModule<Module>(load: () => Promise<Module>, texts: TextGroup = 'rest'): Promise<Module> {
  const loadBoth = async () => {
    await loadTexts(texts)
    return load()
  }
  try {
    return await loadBoth()
  } catch {
    await new Promise((resolve) => setTimeout(resolve, retryAfterMs))
  }
  for (let wasServerThere = false; ; wasServerThere = true) {
    try {
      return await loadBoth()
    } catch (error) {
      if (!isReloading && !(await isServerThere())) throw error
      if (!wasServerThere) continue
      if (!startReload()) throw error
      return new Promise<never>(() => undefined)
    }
  }
}

/** As `loadModule`, for code that the screen works without: it is requested once, and a failure rejects at once. */
export async function loadOnce<Module>(load: () => Promise<Module>, texts: TextGroup = 'rest'): Promise<Module> {
  await loadTexts(texts)
  return load()
}

/**
 * As `loadModule`, for a part of a screen: while the server does not answer, it waits and tries again, and the rest of the screen
 * can be used meanwhile.
 */
export async function loadPart<Module>(load: () => Promise<Module>, texts?: TextGroup): Promise<Module> {
  for (;;) {
    try {
      return await loadModule(load, texts)
    } catch (error) {
      if (await isServerThere()) throw error
    }
    await untilNextTry()
  }
}

function untilNextTry(): Promise<unknown> {
  return new Promise((resolve) => {
    if (navigator.onLine) setTimeout(resolve, tryAgainAfterMs)
    else window.addEventListener('online', resolve, { once: true })
  })
}

/** Returns false if the page must not be reloaded. */
function startReload(): boolean {
  if (isReloading) return true
  const reloadedAtMs = Number(tabStorage.getItem(reloadedAtKey) ?? 0)
  if (Date.now() - reloadedAtMs < reloadPauseMs) return false
  // Without the time of the last reload, the page could reload forever.
  if (!tabStorage.setItem(reloadedAtKey, String(Date.now()))) return false
  isReloading = true
  location.reload()
  return true
}

async function isServerThere(): Promise<boolean> {
  if (!navigator.onLine) return false
  const limit = limitTime(answerWithinMs)
  try {
    const { ok, headers } = await fetch('/', { method: 'HEAD', cache: 'no-store', signal: limit.signal })
    // The app of another origin comes from a server that is not Hither.
    return ok && (serverOrigin() !== location.origin || headers.get(ownAnswerHeader) !== null)
  } catch {
    return false
  } finally {
    limit.end()
  }
}
