import { uploadPingImage } from '@hither/contract/files.ts'
import { type PingId } from '@hither/contract/ids.ts'
import { useSyncExternalStore } from 'react'
import { preloadPingImage } from '../api/images.ts'
import { upload } from '../api/upload.ts'

/** A picture on its way to the server. */
export interface PingUpload {
  readonly pingId: PingId
  /** Shown in its place until it is there. */
  readonly previewUrl: string
  /** From 0 to 1. */
  readonly progress: number
}

/** They go on whatever screen is left or opened, so they are kept beside the components and not in one. */
let uploads: readonly PingUpload[] = []
const listeners = new Set<() => void>()

export function usePingUpload(pingId: string): PingUpload | undefined {
  return useSyncExternalStore(subscribe, () => uploads.find((upload) => upload.pingId === pingId))
}

export function useFirstPingUpload(): PingUpload | undefined {
  return useSyncExternalStore(subscribe, () => uploads[0])
}

/** `onStored`: the picture can be shown from the server now; the preview goes after. Throws `ApiError`. */
export async function sendPingImage(pingId: PingId, file: Blob, onStored: () => void): Promise<void> {
  const previewUrl = URL.createObjectURL(file)
  put({ pingId, previewUrl, progress: 0 })
  try {
    const onProgress = (progress: number) => put({ pingId, previewUrl, progress })
    await upload(uploadPingImage, { params: { pingId } }, file, { onProgress })
    await preloadPingImage(pingId)
    onStored()
  } finally {
    publish(uploads.filter((upload) => upload.previewUrl !== previewUrl))
    URL.revokeObjectURL(previewUrl)
  }
}

/** A second picture of the same ping takes the place of the first. */
function put(upload: PingUpload) {
  publish([...uploads.filter(({ pingId }) => pingId !== upload.pingId), upload])
}

function publish(next: readonly PingUpload[]) {
  uploads = next
  for (const listener of [...listeners]) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
