import type { UserId } from '@hither/contract/ids.ts'
import type { Message } from '@hither/contract/messages/messages.ts'
import { kindOf } from '@hither/contract/runtime/messages/messages.ts'
import { visuallyHidden } from '@mui/utils'
import { useEffect, useState } from 'react'
import { t } from '../../i18n/translate.ts'
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
  const [seen] = useState({ seq: last?.seq ?? 0 })
  const [announced, setAnnounced] = useState<Message | null>(null)

  useEffect(() => {
    // The message before a deleted one is not new.
    if (last === undefined || last.seq <= seen.seq) return
    seen.seq = last.seq
    const isOthers = last.sender_id !== viewerId && (last.sender_id === null || !blocked.has(last.sender_id))
    if (isOthers) setAnnounced(last)
  }, [last, seen, viewerId, blocked])

  // A former text must not remain readable.
  const isCurrent = messages.some(({ id, content }) => id === announced?.id && content === announced.content)
  return (
    <div role="status" style={visuallyHidden}>
      {announced !== null &&
        isCurrent &&
        t('chat.message.said', {
          name: senderNameOf(announced),
          text: shownContent({ ...announced, ...kindOf(announced.attachment) }),
        })}
    </div>
  )
}
