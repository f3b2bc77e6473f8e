import { changeValue, deleteValues, openDatabase, writeValue } from '../device/database.ts'

/** What another app has shared, passed from the service worker to the next page. None of it can be trusted. */
export interface Shared {
  title: string
  text: string
  url: string
  picture: { type: string; size: number; file: Blob | null } | null
  /** In milliseconds of this device's clock. */
  at: number
}

export const sharePath = '/share-target'
/** The path at which the app reads the shared content. */
export const sharedPath = '/?shared=1'

/** After this time, in milliseconds, shared content is not opened, because the next user may be another person. */
const shareAgeMaxMs = 15 * 60_000

const database = openDatabase('hither-share', 'shared')
const key = 'shared'

/** Stores shared content. Only the last one is stored. */
export async function putShared(shared: Shared): Promise<void> {
  await writeValue(database, key, shared)
}

/** Returns and deletes the stored content. */
export async function takeShared(nowMs: number): Promise<Shared | null> {
  const { before: shared } = await changeValue<Shared>(database, key, () => undefined)
  return shared !== undefined && nowMs - shared.at < shareAgeMaxMs ? shared : null
}

export async function deleteShared(): Promise<void> {
  await deleteValues(database)
}
