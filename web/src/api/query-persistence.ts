import { type DehydratedState, dehydrate, hydrate, type Query, type QueryClient } from '@tanstack/react-query'
import { createStore, del, entries, get, promisifyRequest } from 'idb-keyval'
import { readStoredSession, subscribeToStoredSession } from './stored-session.ts'

/**
 * Keeps on the device what the signed-in person was last shown, so that the app opens with it where there is no network.
 * One record an account; the record of anybody who is not signed in goes at once. A query says `meta: { kept: false }`
 * where its answer is not to lie about, or `meta: { keptPart }`, a function, where a part of it is enough.
 */
interface Kept {
  /** Answers of another build may have another shape. */
  build: string
  state: DehydratedState
}

const build = import.meta.env.PROD ? new URL(import.meta.url).pathname : 'dev'
const maxAgeMs = 14 * 86_400_000
const writeAfterMs = 500

const store = openStore()

/** Resolves once what was kept is in the cache, also where that is nothing or cannot be read. */
export async function restoreQueries(queryClient: QueryClient): Promise<void> {
  const userId = signedInId()
  if (store === null || userId === null) return
  try {
    const kept = await get<Kept>(userId, store)
    // Someone else may have signed in while the disk was slow.
    if (kept?.build === build && signedInId() === userId) hydrate(queryClient, kept.state)
  } catch {
    // A browser that keeps nothing still shows what the server says.
  }
}

/** The time of the newest answer in the cache, in milliseconds; null for an empty cache. */
export function newestAnswerAt(queryClient: QueryClient): number | null {
  const times = queryClient
    .getQueryCache()
    .getAll()
    .map(({ state }) => state.dataUpdatedAt)
  return Math.max(0, ...times) || null
}

/** Writes what changes, a moment later, until the returned function is called. */
export function keepQueries(queryClient: QueryClient): () => void {
  if (store === null) return () => undefined
  const database = store
  let timer: ReturnType<typeof setTimeout> | undefined

  async function write() {
    timer = undefined
    const userId = signedInId()
    if (userId === null) return
    const state = dehydrate(queryClient, { shouldDehydrateQuery: isKept, shouldDehydrateMutation: () => false })
    const kept: Kept = { build, state: recordOf(state) }
    await database('readwrite', (answers) => {
      answers.put(kept, userId)
      // A page that is left does not live to commit what it wrote last.
      answers.transaction.commit()
      return promisifyRequest(answers.transaction)
    })
    // Another tab may have signed out between the two.
    if (signedInId() !== userId) await forgetOthers()
  }

  function schedule() {
    timer ??= setTimeout(() => void write().catch(() => undefined), writeAfterMs)
  }

  async function forgetOthers() {
    const userId = signedInId()
    for (const [key] of await entries(database)) if (key !== userId) await del(key, database)
  }

  const unsubscribeCache = queryClient.getQueryCache().subscribe(({ type }) => {
    if (type === 'updated' || type === 'removed') schedule()
  })
  const unsubscribeSession = subscribeToStoredSession(() => void forgetOthers().catch(() => undefined))
  void forgetOthers().catch(() => undefined)
  // A phone may end the page a moment after it is put away.
  const handleHide = () => {
    if (document.visibilityState !== 'hidden' || timer === undefined) return
    clearTimeout(timer)
    void write().catch(() => undefined)
  }
  document.addEventListener('visibilitychange', handleHide)

  return () => {
    clearTimeout(timer)
    unsubscribeCache()
    unsubscribeSession()
    document.removeEventListener('visibilitychange', handleHide)
  }
}

/**
 * What could not be asked again is still what was last known: an answer without its failure. It may have missed a change
 * since, so that it is asked for anew as soon as it is shown.
 */
function recordOf({ queries, mutations }: DehydratedState): DehydratedState {
  return {
    mutations,
    queries: queries.map(({ meta, ...query }) => ({
      ...query,
      state: {
        ...query.state,
        data: partOf(query.state.data, meta?.['keptPart']),
        status: 'success',
        error: null,
        fetchFailureCount: 0,
        fetchFailureReason: null,
        isInvalidated: true,
      },
    })),
  }
}

function partOf(data: unknown, keptPart: unknown): unknown {
  return typeof keptPart === 'function' ? keptPart(data) : data
}

function isKept({ state, meta }: Query): boolean {
  return state.data !== undefined && meta?.['kept'] !== false && Date.now() - state.dataUpdatedAt < maxAgeMs
}

function signedInId(): string | null {
  const { accessToken, user } = readStoredSession()
  return accessToken === null ? null : (user?.id ?? null)
}

function openStore() {
  try {
    return typeof indexedDB === 'undefined' ? null : createStore('hither', 'answers')
  } catch {
    return null
  }
}
