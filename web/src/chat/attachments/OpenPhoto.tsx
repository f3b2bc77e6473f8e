import type { Message } from '@hither/contract/messages/messages.ts'
import { useEffect, useState } from 'react'
import { lazyComponent } from '../../ui/lazy.tsx'
import { showPhoto, useShownPhoto } from './shown-photo.ts'

const PhotoViewer = lazyComponent(async () => (await import('./PhotoViewer.tsx')).PhotoViewer)

/** The open photo of a conversation. It closes when its message is deleted or the conversation is left. */
export function OpenPhoto({ messages }: { messages: readonly Message[] }) {
  const photo = useShownPhoto()
  // Still drawn while the dialog closes.
  const [last, setLast] = useState(photo)
  if (photo !== null && photo !== last) setLast(photo)
  const isOpen = photo !== null && messages.some(({ id }) => id === photo.messageId)

  useEffect(() => () => showPhoto(null), [])

  if (last === null) return null
  return <PhotoViewer key={last.messageId} open={isOpen} photo={last} onClose={() => showPhoto(null)} />
}
