import { createStore, del, get, set } from 'idb-keyval'

/** What another app has handed over, from its service worker to the page that opens next. Nothing of it is to be trusted. */
export interface Shared {
  title: string
  text: string
  url: string
  picture: { type: string; size: number; file: Blob | null } | null
  /** In milliseconds of this device. */
  at: number
}

export const sharePath = '/share-target'
/** Where the app takes it up. */
export const sharedPath = '/?shared=1'

/** What nobody has taken up by then was not meant for whoever comes later. */
export const shareAgeMaxMs = 15 * 60_000

const key = 'shared'

/** The last one counts. */
export async function putShared(shared: Shared): Promise<void> {
  await set(key, shared, store())
}

/** Once: what is taken is gone. */
export async function takeShared(nowMs: number): Promise<Shared | null> {
  const shared = await get<Shared>(key, store())
  await del(key, store())
  return shared !== undefined && nowMs - shared.at < shareAgeMaxMs ? shared : null
}

export async function forgetShared(): Promise<void> {
  await del(key, store())
}

function store() {
  return createStore('hither-share', 'shared')
}
