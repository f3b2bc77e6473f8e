import type { OwnPing } from '@hither/contract/pings.ts'
import type { User } from '@hither/contract/users.ts'
import Chip from '@mui/material/Chip'
import { t } from '../../i18n/translate.ts'
import { lazyComponent } from '../../ui/lazy.tsx'
import { MessageButton } from '../chat/MessageButton.tsx'
import { OpenChatButton } from '../chat/OpenChatButton.tsx'
import { StartChatButton } from '../chat/StartChatButton.tsx'
import { OwnPingButtons } from '../drop-again/OwnPingButtons.tsx'
import { Invitees } from '../edit/Invitees.tsx'
import { PingPicture } from '../pictures/PingPicture.tsx'
import { PingPlace } from '../place/PingPlace.tsx'
import { OnMyWay } from '../trips/OnMyWay.tsx'
import { CalendarButton } from '../view/CalendarButton.tsx'
import { PingActions } from '../view/PingActions.tsx'
import { PingArticle } from '../view/PingArticle.tsx'
import { PingHeading } from '../view/PingHeading.tsx'
import { PingHistory } from '../view/PingHistory.tsx'
import { PingMessage } from '../view/PingMessage.tsx'
import { usePingStatus } from '../view/use-ping-status.ts'
import { PingGuests } from './PingGuests.tsx'
import { PingOwnerPanel } from './PingOwnerPanel.tsx'

const PlaceViewers = lazyComponent(async () => (await import('../place/PlaceViewers.tsx')).PlaceViewers)
const OwnGuests = lazyComponent(async () => (await import('../guests/owner/OwnGuests.tsx')).OwnGuests)

interface Props {
  ping: OwnPing
  viewer: User | null
  onDeleted: () => void
}

/** The ping page of the owner. */
export function OwnPingDetails({ ping, viewer, onDeleted }: Props) {
  const status = usePingStatus(ping)
  const { conversation_id: chatId } = ping
  const canStartChat = chatId === null && ping.recipients.length > 1 && status !== 'expired'
  return (
    <PingArticle>
      <PingHeading ping={ping} status={status} owner={{ id: ping.user_id, hasImage: ping.user_has_image }}>
        <Chip size="small" color="primary" variant="outlined" label={t('pings.you')} />
      </PingHeading>
      {viewer !== null && <OnMyWay ping={ping} viewer={viewer} />}
      <PingPicture ping={ping} heightPx={300} />
      <PingPlace ping={ping} status={status} />
      <PingMessage text={ping.message} />
      <PingActions>
        {chatId !== null && <OpenChatButton conversationId={chatId} />}
        {viewer !== null && chatId === null && <MessageButton ping={ping} variant="outlined" />}
        {canStartChat && <StartChatButton ping={ping} />}
        <OwnPingButtons ping={ping} />
        {status === 'pending' && <CalendarButton pingId={ping.id} />}
      </PingActions>
      {viewer !== null && (
        <PingGuests ping={ping} viewer={viewer} invitees={<Invitees ping={ping} status={status} />} />
      )}
      {((ping.is_public && status !== 'expired') || ping.guests.length > 0) && (
        <OwnGuests ping={ping} status={status} />
      )}
      {ping.place_known_by.length > 0 && <PlaceViewers people={ping.place_known_by} />}
      <PingOwnerPanel ping={ping} status={status} onDeleted={onDeleted} />
      <PingHistory ping={ping} status={status} />
    </PingArticle>
  )
}
