export interface FetchedImage {
  blob: Blob
  /** Changes with the bytes; null where the server named none. */
  etag: string | null
}

export interface ImageCacheOptions {
  /** Null where there is no such image. */
  fetchImage: (key: string, signal: AbortSignal) => Promise<FetchedImage | null>
  createUrl: (blob: Blob) => string
  revokeUrl: (url: string) => void
  /** How long an image outlives its last use: going from one screen to the next should not fetch it again. */
  keepMs: number
}

export interface ImageCache {
  /** Holds the image for as long as it is needed, and fetches it where it is not there. Returns the release. */
  watch(key: string, listener: () => void): () => void
  /** An object URL, or undefined while there is none, and where there never will be one. */
  urlOf(key: string): string | undefined
  /** Whether there may yet be one: it has not been asked for, or no answer has come. */
  isLoading(key: string): boolean
  /** Asks again for every image in use whose key begins so. What is shown stays until the new one is there. */
  refresh(prefix: string): Promise<void>
  /** Revokes all, and begins anew with what is still on screen. */
  reset(): void
}

interface Entry {
  readonly key: string
  readonly listeners: Set<() => void>
  state: 'idle' | 'loading' | 'loaded' | 'none' | 'failed'
  image: { url: string; etag: string | null } | null
  loading: { controller: AbortController; done: Promise<void> } | null
  expiry: ReturnType<typeof setTimeout> | undefined
}

/** Images as object URLs, shared by all who show them, and revoked when nobody does. */
export function createImageCache({ fetchImage, createUrl, revokeUrl, keepMs }: ImageCacheOptions): ImageCache {
  const entries = new Map<string, Entry>()

  function watch(key: string, listener: () => void): () => void {
    const entry = entries.get(key) ?? blankEntry(key)
    entries.set(key, entry)
    clearTimeout(entry.expiry)
    // One listener may watch twice; each is one use.
    const use = () => listener()
    entry.listeners.add(use)
    if (entry.state === 'idle' || entry.state === 'failed') void load(entry)
    return () => {
      if (!entry.listeners.delete(use) || entry.listeners.size > 0) return
      entry.expiry = setTimeout(() => drop(entry), keepMs)
    }
  }

  function urlOf(key: string): string | undefined {
    return entries.get(key)?.image?.url
  }

  function isLoading(key: string): boolean {
    const state = entries.get(key)?.state ?? 'idle'
    return state === 'idle' || state === 'loading'
  }

  async function refresh(prefix: string): Promise<void> {
    const stale = [...entries.values()].filter(({ key }) => key.startsWith(prefix))
    for (const entry of stale.filter(({ listeners }) => listeners.size === 0)) drop(entry)
    await Promise.all(stale.filter(({ listeners }) => listeners.size > 0).map(load))
  }

  function reset() {
    for (const entry of entries.values()) {
      if (entry.listeners.size === 0) {
        drop(entry)
        continue
      }
      entry.loading?.controller.abort()
      entry.loading = null
      settle(entry, 'idle', null)
      void load(entry)
    }
  }

  /** The latest call wins, and those before it end with it: an answer that was asked for earlier is not used any more. */
  function load(entry: Entry): Promise<void> {
    entry.loading?.controller.abort()
    const controller = new AbortController()
    if (entry.state !== 'loaded') entry.state = 'loading'
    const done = fetchInto(entry, controller.signal)
    entry.loading = { controller, done }
    return done
  }

  async function fetchInto(entry: Entry, signal: AbortSignal): Promise<void> {
    try {
      const fetched = await fetchImage(entry.key, signal)
      if (signal.aborted) return entry.loading?.done
      if (fetched === null) return settle(entry, 'none', null)
      const isSame = entry.image !== null && fetched.etag !== null && entry.image.etag === fetched.etag
      if (!isSame) settle(entry, 'loaded', { url: createUrl(fetched.blob), etag: fetched.etag })
    } catch {
      if (signal.aborted) return entry.loading?.done
      // What could be fetched before is better than nothing.
      if (entry.image === null) settle(entry, 'failed', null)
    }
  }

  function settle(entry: Entry, state: Entry['state'], image: Entry['image']) {
    const before = entry.image
    const isSame = before === image && entry.state === state
    entry.state = state
    entry.image = image
    if (isSame) return
    for (const listener of [...entry.listeners]) listener()
    if (before !== null && before !== image) revokeUrl(before.url)
  }

  function drop(entry: Entry) {
    clearTimeout(entry.expiry)
    entry.loading?.controller.abort()
    entry.loading = null
    entries.delete(entry.key)
    if (entry.image !== null) revokeUrl(entry.image.url)
    entry.image = null
  }

  return { watch, urlOf, isLoading, refresh, reset }
}

function blankEntry(key: string): Entry {
  return { key, listeners: new Set(), state: 'idle', image: null, loading: null, expiry: undefined }
}
