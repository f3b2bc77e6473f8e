import { ConversationScreen } from '../chat/conversations/ConversationScreen.tsx'
import { PersonPins } from '../pings/lists/PersonPins.tsx'
import { PingLine } from '../pings/view/PingLine.tsx'

/** Joins the chat with the pings, because the chat does not import them. */
export function ConversationRoute() {
  return (
    <ConversationScreen
      renderPing={(pingId) => <PingLine pingId={pingId} />}
      renderPins={(userId) => <PersonPins userId={userId} />}
    />
  )
}
