import type { ConversationId, MessageId } from '@hither/contract/ids.ts'
import { useEffect } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'

const parameter = 'message'

/** The address that opens a conversation at one of its messages, for example at a result of a search. */
export function messagePath(conversationId: ConversationId, messageId: MessageId): string {
  return `/chat/${conversationId}?${parameter}=${messageId}`
}

/** The message of such an address, or null. */
function messageOfSearch(search: URLSearchParams): MessageId | null {
  return search.get(parameter) as MessageId | null
}

/** Calls `open` once with the message of the address, and removes it from the address. */
export function useOpenedMessage(open: (messageId: MessageId) => void) {
  const [search] = useSearchParams()
  const { pathname, state } = useLocation()
  const navigate = useNavigate()
  const messageId = messageOfSearch(search)

  // biome-ignore lint/correctness/useExhaustiveDependencies: only another address opens another message
  useEffect(() => {
    if (messageId === null) return
    open(messageId)
    void navigate(pathname, { replace: true, state })
  }, [messageId])
}
