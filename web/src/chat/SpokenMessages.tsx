import { type MessageId, type UserId } from '@hither/contract/ids.ts'
import { type Message } from '@hither/contract/messages.ts'
import { visuallyHidden } from '@mui/utils'
import { useEffect, useState } from 'react'
import { messageStrings } from './strings.ts'

interface Props {
  messages: readonly Message[]
  viewerId: UserId
  blocked: ReadonlySet<UserId>
}

/** What comes in is read out, and only that: the list itself would also tell of the old messages one scrolls to. */
export function SpokenMessages({ messages, viewerId, blocked }: Props) {
  const last = messages.at(-1)
  const [heard] = useState<{ id: MessageId | undefined }>({ id: last?.id })
  const [spoken, setSpoken] = useState('')

  useEffect(() => {
    if (last === undefined || last.id === heard.id) return
    heard.id = last.id
    const isOthers = last.sender_id !== viewerId && (last.sender_id === null || !blocked.has(last.sender_id))
    if (isOthers) setSpoken(messageStrings.said(last.sender_username, last.content))
  }, [last, heard, viewerId, blocked])

  return (
    <div role="status" style={visuallyHidden}>
      {spoken}
    </div>
  )
}
