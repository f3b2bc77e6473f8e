import type { PingId } from '@hither/contract/ids.ts'
import { createStore, useStore } from 'zustand'
import { preloadPingImage } from '../../api/images.ts'
import { upload } from '../../api/upload.ts'

/** An image upload in progress. */
interface PingUpload {
  readonly pingId: PingId
  /** An object URL that is shown until the uploaded image can be loaded. */
  readonly previewUrl: string
  /** From 0 to 1. */
  readonly progress: number
}

/** Uploads continue when the user leaves the screen, so they are stored outside of the components. */
const store = createStore<{ uploads: readonly PingUpload[] }>(() => ({ uploads: [] }))

export function usePingUpload(pingId: string): PingUpload | undefined {
  return useStore(store, ({ uploads }) => uploads.find((upload) => upload.pingId === pingId))
}

export function useFirstPingUpload(): PingUpload | undefined {
  return useStore(store, ({ uploads }) => uploads[0])
}

/**
 * Uploads an image. `onStored` is called when the server has it; the preview is removed after that. Throws `ApiError`.
 */
export async function sendPingImage(
  pingId: PingId,
  file: Blob,
  onStored: () => void,
  signal?: AbortSignal,
): Promise<void> {
  const previewUrl = URL.createObjectURL(file)
  put({ pingId, previewUrl, progress: 0 })
  try {
    const onProgress = (progress: number) => put({ pingId, previewUrl, progress })
    await upload('POST /files/pin-image/:pingId', { params: { pingId } }, file, {
      onProgress,
      ...(signal && { signal }),
    })
    await preloadPingImage(pingId)
    onStored()
  } finally {
    store.setState(({ uploads }) => ({ uploads: uploads.filter((upload) => upload.previewUrl !== previewUrl) }))
    URL.revokeObjectURL(previewUrl)
  }
}

/** A second upload for the same ping replaces the first. */
function put(upload: PingUpload) {
  store.setState(({ uploads }) => ({
    uploads: [...uploads.filter(({ pingId }) => pingId !== upload.pingId), upload],
  }))
}
