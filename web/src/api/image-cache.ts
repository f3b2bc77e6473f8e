export interface FetchedImage {
  blob: Blob
  /** Changes with the bytes. Null if the server sent no ETag. */
  etag: string | null
}

interface ImageCacheOptions {
  /** Resolves to null if the image does not exist. */
  fetchImage: (key: string, signal: AbortSignal) => Promise<FetchedImage | null>
  createUrl: (blob: Blob) => string
  revokeUrl: (url: string) => void
  /**
   * How long an image stays cached after its last use, in milliseconds, so that a change of screens does not fetch it
   * again.
   */
  cacheMs: number
}

export interface ImageCache {
  /** Uses the image until the returned function is called, and fetches it if it is not cached. */
  watch(key: string, listener: () => void): () => void
  /** Returns an object URL, or undefined if the image has not loaded or does not exist. */
  urlOf(key: string): string | undefined
  /** Returns true if the image was not requested yet or has no response yet. */
  isLoading(key: string): boolean
  /** Whether the image does not exist or could not be loaded. */
  stateOf(key: string): 'loading' | 'loaded' | 'none' | 'failed'
  /**
   * Fetches every image in use again whose key starts with `prefix`. The old image is shown until the new one has
   * loaded.
   */
  refresh(prefix: string): Promise<void>
  /** Revokes all object URLs and fetches the images on screen again. */
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

/** Caches images as object URLs. Components share them, and a URL is revoked when its last user is gone. */
export function createImageCache({ fetchImage, createUrl, revokeUrl, cacheMs }: ImageCacheOptions): ImageCache {
  const entries = new Map<string, Entry>()

  function watch(key: string, listener: () => void): () => void {
    const entry = entries.get(key) ?? blankEntry(key)
    entries.set(key, entry)
    clearTimeout(entry.expiry)
    // One listener may watch twice. Each call counts as one use.
    const use = () => listener()
    entry.listeners.add(use)
    if (entry.state === 'idle' || entry.state === 'failed') void load(entry)
    return () => {
      if (!entry.listeners.delete(use) || entry.listeners.size > 0) return
      entry.expiry = setTimeout(() => drop(entry), cacheMs)
    }
  }

  function urlOf(key: string): string | undefined {
    return entries.get(key)?.image?.url
  }

  function isLoading(key: string): boolean {
    const state = entries.get(key)?.state ?? 'idle'
    return state === 'idle' || state === 'loading'
  }

  function stateOf(key: string) {
    const state = entries.get(key)?.state ?? 'idle'
    return state === 'idle' ? 'loading' : state
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

  /** The latest call wins, and earlier calls resolve with it. The response of an earlier call is ignored. */
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
      // A failed refresh leaves the former image in place.
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

  return { watch, urlOf, isLoading, stateOf, refresh, reset }
}

function blankEntry(key: string): Entry {
  return { key, listeners: new Set(), state: 'idle', image: null, loading: null, expiry: undefined }
}
