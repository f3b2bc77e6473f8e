import type { UserId } from '@hither/contract/ids.ts'
import { createStore, useStore } from 'zustand'
import { withRefusal } from './outbox-items.ts'
import type { OutgoingPhoto } from './outgoing.ts'
import { waitingPhotos } from './photo-queue.ts'

const progress = createStore<Readonly<Record<string, number>>>(() => ({}))
const previews = new Map<string, string>()
/** How many previews stay in memory after their photos were sent. */
const previewsMax = 24

/** The sent share of a photo that is being uploaded, from 0 to 1. */
export function useUploadProgress(clientId: string): number | undefined {
  return useStore(progress, (shares) => shares[clientId])
}

export function noteUploadProgress(clientId: string, share: number) {
  progress.setState({ [clientId]: share })
}

export function putPhotoIntoOutbox(owner: UserId, item: OutgoingPhoto): Promise<void> {
  return waitingPhotos.edit(owner, (items) => [...items, item])
}

export function removePhotoFromOutbox(owner: UserId, clientId: string): Promise<void> {
  return waitingPhotos.edit(owner, (items) => items.filter(({ client_id }) => client_id !== clientId))
}

/** `fallback` is shown if the server gave no reason. */
export function failPhoto(owner: UserId, clientId: string, error: unknown, fallback: string): Promise<void> {
  return edit(owner, clientId, (item) => withRefusal(item, error, fallback))
}

export function retryPhoto(owner: UserId, clientId: string): Promise<void> {
  return edit(owner, clientId, ({ reason: _reason, ...item }) => ({ ...item, state: 'waiting' }))
}

/**
 * The object URL of an unsent photo. It is also the picture of the sent message until that can be loaded. Undefined for photos
 * that were not sent from this page.
 */
export function previewOf(clientId: string | null, file?: Blob): string | undefined {
  if (clientId === null) return undefined
  const known = previews.get(clientId)
  if (known !== undefined || file === undefined) return known
  const url = URL.createObjectURL(file)
  previews.set(clientId, url)
  for (const [oldest, oldUrl] of [...previews].slice(0, -previewsMax)) {
    previews.delete(oldest)
    URL.revokeObjectURL(oldUrl)
  }
  return url
}

function edit(owner: UserId, clientId: string, change: (item: OutgoingPhoto) => OutgoingPhoto): Promise<void> {
  return waitingPhotos.edit(owner, (items) => items.map((item) => (item.client_id === clientId ? change(item) : item)))
}
