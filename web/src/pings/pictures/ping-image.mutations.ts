import type { PingId } from '@hither/contract/ids.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'
import { patchPing } from '../pings.cache.ts'
import { sendPingImage } from './ping-uploads.ts'

/** Uploads the image of an own ping. `usePingUpload` shows the progress. */
export function useSendPingImage() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ pingId, file }: { pingId: PingId; file: Blob }) =>
      sendPingImage(pingId, file, () => patchPing(queryClient, pingId, (ping) => ({ ...ping, has_image: true }))),
  })
}

/** Removes the image at once, and restores it if the server refuses. */
export function useDeletePingImage(pingId: PingId) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call('DELETE /files/pin-image/:pingId', { params: { pingId } }),
    onMutate: () => patchPing(queryClient, pingId, (ping) => ({ ...ping, has_image: false })),
    onError: () => patchPing(queryClient, pingId, (ping) => ({ ...ping, has_image: true })),
  })
}
