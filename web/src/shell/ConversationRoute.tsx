import type { ConversationId, PingId } from '@hither/contract/ids.ts'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { conversationQuery } from '../chat/chat.api.ts'
import { ConversationScreen } from '../chat/conversations/ConversationScreen.tsx'
import { PersonPins } from '../pings/lists/PersonPins.tsx'
import { pingQuery } from '../pings/pings.api.ts'
import { PingLine } from '../pings/view/PingLine.tsx'

/** Joins the chat with the pings, because the chat does not import them. */
export function ConversationRoute() {
  const isPingOwner = useIsPingOwner()
  return (
    <ConversationScreen
      renderPing={(pingId) => <PingLine pingId={pingId} />}
      renderPins={(userId) => <PersonPins userId={userId} />}
      isPingOwner={isPingOwner}
    />
  )
}

/** Whether the viewer has created the ping of the open conversation; undefined if it has none, or if it is unknown. */
function useIsPingOwner(): boolean | undefined {
  const { conversationId } = useParams()
  const { data: open } = useQuery({ ...conversationQuery(conversationId as ConversationId), enabled: false })
  const pingId = open?.conversation.ping_id ?? null
  const { data: ping } = useQuery({ ...pingQuery(pingId ?? ('' as PingId)), enabled: pingId !== null })
  return ping ? ping.access === 'owner' : undefined
}
