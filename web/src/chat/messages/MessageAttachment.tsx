import type { Message } from '@hither/contract/messages/messages.ts'
import { PlaceBubble } from '../attachments/PlaceBubble.tsx'
import { SentPhoto } from '../attachments/SentPhoto.tsx'
import { UnsentPhoto } from '../attachments/UnsentPhoto.tsx'
import type { Outgoing } from '../outbox/message-outbox.ts'
import { isPhoto } from '../outbox/outgoing.ts'
import { senderNameOf } from './message-text.ts'

interface Props {
  message: Message | Outgoing
  isOwn: boolean
}

/** The photo or the place of a message, at the top of its bubble. Renders nothing for a message without attachment. */
export function MessageAttachment({ message, isOwn }: Props) {
  if ('id' in message) {
    const { attachment } = message
    switch (attachment?.type) {
      case 'photo':
        return <SentPhoto message={message} photo={attachment} isOwn={isOwn} />
      case 'place':
        return <PlaceBubble place={attachment} senderName={isOwn ? null : senderNameOf(message)} isOwn={isOwn} />
      default:
        return null
    }
  }
  if (isPhoto(message)) return <UnsentPhoto message={message} />
  if (message.place === undefined) return null
  const { name = null, address = null, ...place } = message.place
  return <PlaceBubble place={{ ...place, name, address }} senderName={null} isOwn />
}
