import {
  type DehydratedState,
  dehydrate,
  hydrate,
  type Query,
  type QueryClient,
  type QueryKey,
} from '@tanstack/react-query'
import { deleteValues, openDatabase, readValue } from '../device/database.ts'
import { readStoredSession, subscribeToStoredSession } from './stored-session.ts'

/**
 * Stores the query cache on the device, so that the app opens with the last known data where there is no network. There
 * is one record per account, and the records of all users who are not signed in are deleted at once. A query sets
 * `meta: { persisted: false }` if its data must not be stored, or `meta: { persistedPart }`, a function that returns
 * the part to store.
 */
interface StoredCache {
  /** Data of another build may have another shape. */
  build: string
  state: DehydratedState
}

const build = import.meta.env.PROD ? new URL(import.meta.url).pathname : 'dev'
const maxAgeMs = 14 * 86_400_000
const writeAfterMs = 500

const database = openDatabase('hither', 'answers')
let isDropped = false

/**
 * Resolves once the stored data is in the cache, also if there is none or it cannot be read. Answers that `fits` rejects are
 * left out: a server that is being updated may have sent them.
 */
export async function restoreQueries(
  queryClient: QueryClient,
  fits: (queryKey: QueryKey, data: unknown) => boolean,
): Promise<void> {
  const userId = signedInId()
  if (userId === null) return
  try {
    const record = await readValue<StoredCache>(database, userId)
    // Another user may have signed in during the read.
    if (record?.build !== build || signedInId() !== userId) return
    const queries = record.state.queries.filter(({ queryKey, state }) => fits(queryKey, state.data))
    hydrate(queryClient, { mutations: [], queries })
  } catch {
    // Without storage, the app shows what the server returns.
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

/**
 * Deletes the stored data of all users after a screen could not be rendered, because the data may be the reason. Nothing
 * more is stored until the page is loaded again, which then starts with answers of the server.
 */
export async function dropStoredQueries(): Promise<void> {
  isDropped = true
  await deleteValues(database).catch(() => undefined)
}

/** Stores changes of the cache after a short delay until the returned function is called. */
export function persistQueries(queryClient: QueryClient): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined

  async function write() {
    timer = undefined
    const userId = signedInId()
    if (userId === null || isDropped) return
    const state = dehydrate(queryClient, { shouldDehydrateQuery: isPersisted, shouldDehydrateMutation: () => false })
    const record: StoredCache = { build, state: recordOf(state) }
    const put = (answers: IDBObjectStore) => {
      answers.put(record, userId)
      return () => undefined
    }
    await database.run('readwrite', put, 'commits')
    // Another tab may have signed out during the write.
    if (signedInId() !== userId) await deleteOtherRecords()
  }

  function schedule() {
    timer ??= setTimeout(() => void write().catch(() => undefined), writeAfterMs)
  }

  async function deleteOtherRecords() {
    const userId = signedInId()
    await deleteValues(database, (key) => key !== userId)
  }

  const unsubscribeCache = queryClient.getQueryCache().subscribe(({ type }) => {
    if (type === 'updated' || type === 'removed') schedule()
  })
  const unsubscribeSession = subscribeToStoredSession(() => void deleteOtherRecords().catch(() => undefined))
  void deleteOtherRecords().catch(() => undefined)
  // A phone may end a page shortly after it goes to the background.
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
 * Stores failed queries with their last data and without the error. They are marked as invalidated, because they may
 * have missed changes.
 */
function recordOf({ queries, mutations }: DehydratedState): DehydratedState {
  return {
    mutations,
    queries: queries.map(({ meta, ...query }) => ({
      ...query,
      state: {
        ...query.state,
        data: partOf(query.state.data, meta?.['persistedPart']),
        status: 'success',
        error: null,
        fetchFailureCount: 0,
        fetchFailureReason: null,
        isInvalidated: true,
      },
    })),
  }
}

function partOf(data: unknown, persistedPart: unknown): unknown {
  return typeof persistedPart === 'function' ? persistedPart(data) : data
}

function isPersisted({ state, meta }: Query): boolean {
  return state.data !== undefined && meta?.['persisted'] !== false && Date.now() - state.dataUpdatedAt < maxAgeMs
}

function signedInId(): string | null {
  const { accessToken, user } = readStoredSession()
  return accessToken === null ? null : (user?.id ?? null)
}
