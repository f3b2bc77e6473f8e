import { getPingImage, getProfileImage } from '@hither/contract/files.ts'
import { type PingId, type UserId } from '@hither/contract/ids.ts'
import { type Operation } from '@hither/contract/operation.ts'
import { useCallback, useSyncExternalStore } from 'react'
import { createImageCache, type FetchedImage } from './image-cache.ts'
import { readStoredSession, subscribeToStoredSession } from './stored-session.ts'
import { ApiError, addressOf, authorised, type Parts } from './transport.ts'

type Kind = 'user' | 'ping'
export type ImageSize = 'thumb' | 'full'

const texts = {
  user: 'Failed to fetch profile image',
  ping: 'Failed to fetch image',
} as const

const cache = createImageCache({
  fetchImage,
  createUrl: (blob) => URL.createObjectURL(blob),
  revokeUrl: (url) => URL.revokeObjectURL(url),
  keepMs: 60_000,
})

let viewerId = readStoredSession().user?.id

// Pictures are shown to one person; whoever is next on this device, or nobody, does not see what was fetched for them.
subscribeToStoredSession(() => {
  const { accessToken, user } = readStoredSession()
  const id = accessToken === null ? undefined : user?.id
  if (id === viewerId) return
  viewerId = id
  cache.reset()
})

/** An address for the person's picture, once it is there. Undefined where there is none, or it cannot be had. */
export function useUserImage(
  userId: UserId | string,
  hasImage: boolean | undefined,
  size: ImageSize = 'thumb',
): string | undefined {
  return useImage(hasImage ? keyOf('user', userId, size) : null)
}

/** The same for the picture of a ping. */
export function usePingImage(
  pingId: PingId | string,
  hasImage: boolean | undefined,
  size: ImageSize = 'full',
): string | undefined {
  return useImage(hasImage ? keyOf('ping', pingId, size) : null)
}

/** Whether a picture of a ping is still on its way. */
export function useIsPingImageLoading(pingId: PingId | string, hasImage: boolean, size: ImageSize = 'full'): boolean {
  const key = hasImage ? keyOf('ping', pingId, size) : null
  return useSyncExternalStore(useSubscription(key), () => key !== null && cache.isLoading(key))
}

/** The picture behind the same address may be another now. Resolves when what is on screen is up to date. */
export function refreshUserImage(userId: UserId): Promise<void> {
  return cache.refresh(keyOf('user', userId, ''))
}

/** Fetches the picture before anyone asks, so that it can be shown everywhere in one moment. */
export function preloadUserImage(userId: UserId): Promise<void> {
  return preload('user', userId)
}

export function preloadPingImage(pingId: PingId): Promise<void> {
  return preload('ping', pingId)
}

export function refreshPingImage(pingId: PingId): Promise<void> {
  return cache.refresh(keyOf('ping', pingId, ''))
}

async function preload(kind: Kind, id: string): Promise<void> {
  const releases = (['thumb', 'full'] as const).map((size) => cache.watch(keyOf(kind, id, size), () => undefined))
  await cache.refresh(keyOf(kind, id, ''))
  for (const release of releases) release()
}

function useImage(key: string | null): string | undefined {
  return useSyncExternalStore(useSubscription(key), () => (key === null ? undefined : cache.urlOf(key)))
}

function useSubscription(key: string | null) {
  return useCallback((listener: () => void) => (key === null ? () => undefined : cache.watch(key, listener)), [key])
}

function keyOf(kind: Kind, id: string, size: ImageSize | ''): string {
  return `${kind}:${id}:${size}`
}

async function fetchImage(key: string, signal: AbortSignal): Promise<FetchedImage | null> {
  // No pictures for visitors; and asking would be refused.
  if (readStoredSession().accessToken === null) return null
  const [kind, id, size] = key.split(':') as [Kind, string, ImageSize]
  const operation = kind === 'user' ? getProfileImage : getPingImage
  const params = kind === 'user' ? { userId: id } : { a: id, b: id }
  return fetchBytes(operation, { params, query: { size } }, texts[kind], signal)
}

/** Of a picture that no cache keeps; `null` where there is none. */
export function fetchBytes(operation: Operation, parts: Parts, failure: string, signal: AbortSignal) {
  return authorised(operation, async (accessToken): Promise<FetchedImage | null> => {
    const response = await fetch(addressOf(operation, parts), {
      headers: { Accept: 'image/*', Authorization: `Bearer ${accessToken}` },
      // The browser keeps the bytes, and asks each time whether they are still the ones.
      cache: 'no-cache',
      credentials: 'omit',
      signal,
    })
    if (response.status === 404) return null
    if (!response.ok) {
      throw new ApiError(response.status, `${failure}: ${response.status} ${response.statusText}`.trim())
    }
    return { blob: await response.blob(), etag: response.headers.get('ETag') }
  })
}
