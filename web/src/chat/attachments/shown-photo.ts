import type { MessageId } from '@hither/contract/ids.ts'
import { createStore, useStore } from 'zustand'

export interface ShownPhoto {
  messageId: MessageId
  label: string
  caption: string
  width: number
  height: number
  createdAt: string
}

/**
 * The photo that is shown on the whole screen. Outside of the bubble, because the virtual list removes the bubble when newer
 * messages push it out of the viewport.
 */
const store = createStore<{ photo: ShownPhoto | null }>(() => ({ photo: null }))

export function showPhoto(photo: ShownPhoto | null) {
  store.setState({ photo })
}

export function useShownPhoto(): ShownPhoto | null {
  return useStore(store, ({ photo }) => photo)
}
