import type { MessageId, PingId, UserId } from '@hither/contract/ids.ts'
import type { Address } from '@hither/contract/runtime/address.ts'
import { useCallback, useSyncExternalStore } from 'react'
import { createImageCache, type FetchedImage } from './image-cache.ts'
import { request } from './request.ts'
import { statusTextOf } from './server-texts.ts'
import { readStoredSession, subscribeToStoredSession } from './stored-session.ts'
import { ApiError, authorised, type Parts, urlOf } from './transport.ts'

type Kind = 'user' | 'ping' | 'message'
type ImageSize = 'thumb' | 'full'

const texts = {
  user: 'Failed to fetch profile image',
  ping: 'Failed to fetch image',
  message: 'Failed to fetch image',
} as const

const cache = createImageCache({
  fetchImage,
  createUrl: (blob) => URL.createObjectURL(blob),
  revokeUrl: (url) => URL.revokeObjectURL(url),
  cacheMs: 60_000,
})

let viewerId = readStoredSession().user?.id

// Images are shown to one account. The next user of this device must not see them.
subscribeToStoredSession(() => {
  const { accessToken, user } = readStoredSession()
  const id = accessToken === null ? undefined : user?.id
  if (id === viewerId) return
  viewerId = id
  cache.reset()
})

/** Returns an object URL of a user's image. Undefined if there is none, or it has not loaded or cannot be loaded. */
export function useUserImage(
  userId: UserId | string,
  hasImage: boolean | undefined,
  size: ImageSize = 'thumb',
): string | undefined {
  return useImage(hasImage ? keyOf('user', userId, size) : null)
}

/** Like `useUserImage`, for the image of a ping. */
export function usePingImage(
  pingId: PingId | string,
  hasImage: boolean | undefined,
  size: ImageSize = 'full',
): string | undefined {
  return useImage(hasImage ? keyOf('ping', pingId, size) : null)
}

/** Returns true while the image of a ping is loading. */
export function useIsPingImageLoading(pingId: PingId | string, hasImage: boolean, size: ImageSize = 'full'): boolean {
  const key = hasImage ? keyOf('ping', pingId, size) : null
  return useSyncExternalStore(useSubscription(key), () => key !== null && cache.isLoading(key))
}

/**
 * The photo of a message. `gone` means that it does not exist or the viewer may not see it. Null requests nothing.
 */
export function useMessagePhoto(messageId: MessageId | null, size: ImageSize) {
  const key = messageId === null ? null : keyOf('message', messageId, size)
  const url = useImage(key)
  const state = useSyncExternalStore(useSubscription(key), () => (key === null ? 'none' : cache.stateOf(key)))
  return { url, state: state === 'none' ? ('gone' as const) : state }
}

/** Fetches the photo of a message again after a failure. */
export function refreshMessagePhoto(messageId: MessageId): Promise<void> {
  return cache.refresh(keyOf('message', messageId, ''))
}

/**
 * Fetches a user's image again, because another image may have the same address now. Resolves when the screen shows it.
 */
export function refreshUserImage(userId: UserId): Promise<void> {
  return cache.refresh(keyOf('user', userId, ''))
}

/** Fetches an image before a component uses it, so that all components show it at the same time. */
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
  // The server refuses images to visitors.
  if (readStoredSession().accessToken === null) return null
  const [kind, id, size] = key.split(':') as [Kind, string, ImageSize]
  const { address, params } = addressOfImage(kind, id)
  return fetchBytes(address, { params, query: { size } }, texts[kind], signal)
}

function addressOfImage(kind: Kind, id: string): { address: Address; params: Record<string, string> } {
  switch (kind) {
    case 'user':
      return { address: 'GET /files/profile-image/:userId', params: { userId: id } }
    case 'ping':
      return { address: 'GET /files/pin-image/:a/:b', params: { a: id, b: id } }
    case 'message':
      return { address: 'GET /files/message-photo/:messageId', params: { messageId: id } }
  }
}

/** Fetches image bytes without the image cache. Resolves to `null` if the image does not exist. */
export function fetchBytes(address: Address, parts: Parts, failure: string, signal: AbortSignal) {
  return authorised('required', async (accessToken): Promise<FetchedImage | null> => {
    const { response, content } = await request(urlOf(address, parts), {
      type: 'image/',
      headers: { Accept: 'image/*', Authorization: `Bearer ${accessToken}` },
      // The browser stores the bytes and revalidates them on each request.
      cache: 'no-cache',
      signal,
    })
    if (response.status === 404) return null
    if (!response.ok) throw new ApiError(response.status, statusTextOf(response, failure))
    return { blob: content, etag: response.headers.get('ETag') }
  })
}
