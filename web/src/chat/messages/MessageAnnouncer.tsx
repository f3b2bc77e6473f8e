import type { MessageId, UserId } from '@hither/contract/ids.ts'
import type { Message } from '@hither/contract/messages/messages.ts'
import { visuallyHidden } from '@mui/utils'
import { useEffect, useState } from 'react'
import { messageStrings } from '../strings.ts'
import { senderNameOf, shownContent } from './message-text.ts'

interface Props {
  messages: readonly Message[]
  viewerId: UserId
  blocked: ReadonlySet<UserId>
}

/**
 * A live region that announces incoming messages to screen readers. The message list itself is not one, because it would also
 * announce the older messages that scrolling loads.
 */
export function MessageAnnouncer({ messages, viewerId, blocked }: Props) {
  const last = messages.at(-1)
  const [announced] = useState<{ id: MessageId | undefined }>({ id: last?.id })
  const [announcement, setAnnouncement] = useState('')

  useEffect(() => {
    if (last === undefined || last.id === announced.id) return
    announced.id = last.id
    const isOthers = last.sender_id !== viewerId && (last.sender_id === null || !blocked.has(last.sender_id))
    if (isOthers) setAnnouncement(messageStrings.said(senderNameOf(last), shownContent(last.content)))
  }, [last, announced, viewerId, blocked])

  return (
    <div role="status" style={visuallyHidden}>
      {announcement}
    </div>
  )
}
