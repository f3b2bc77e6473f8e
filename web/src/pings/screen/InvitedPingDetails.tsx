import type { InvitedPing } from '@hither/contract/pings.ts'
import type { User } from '@hither/contract/users.ts'
import { MessageButton } from '../chat/MessageButton.tsx'
import { OpenChatButton } from '../chat/OpenChatButton.tsx'
import { ClaimGuest } from '../guests/ClaimGuest.tsx'
import { PingPicture } from '../pictures/PingPicture.tsx'
import { PingPlace } from '../place/PingPlace.tsx'
import { isExact } from '../place/place.rules.ts'
import { InvitedResponse } from '../still-going/InvitedResponse.tsx'
import { CalendarButton } from '../view/CalendarButton.tsx'
import { PingActions } from '../view/PingActions.tsx'
import { PingArticle } from '../view/PingArticle.tsx'
import { PingHeading } from '../view/PingHeading.tsx'
import { PingHistory } from '../view/PingHistory.tsx'
import { PingMessage } from '../view/PingMessage.tsx'
import { usePingStatus } from '../view/use-ping-status.ts'
import { PingGuests } from './PingGuests.tsx'
import { PingReport } from './PingReport.tsx'

interface Props {
  ping: InvitedPing
  viewer: User | null
}

/** The ping page of an invitee. */
export function InvitedPingDetails({ ping, viewer }: Props) {
  const status = usePingStatus(ping)
  const { conversation_id: chatId } = ping
  return (
    <PingArticle>
      <PingHeading ping={ping} status={status} owner={{ id: ping.user_id, hasImage: ping.user_has_image }} />
      {viewer !== null && ping.can_respond && status !== 'expired' && (
        <InvitedResponse ping={ping} viewer={viewer} hasHeading />
      )}
      <ClaimGuest ping={ping} />
      <PingPicture ping={ping} heightPx={300} />
      <PingPlace ping={ping} status={status} />
      <PingMessage text={ping.message} />
      <PingActions>
        {chatId !== null && <OpenChatButton conversationId={chatId} />}
        {viewer !== null && chatId === null && <MessageButton ping={ping} variant="outlined" />}
        {status === 'pending' && isExact(ping) && <CalendarButton pingId={ping.id} />}
      </PingActions>
      {viewer !== null && <PingGuests ping={ping} viewer={viewer} />}
      <PingHistory ping={ping} status={status} />
      <PingReport ping={ping} />
    </PingArticle>
  )
}
