import type { PublicPing } from '@hither/contract/pings.ts'
import type { User } from '@hither/contract/users.ts'
import { lazyComponent } from '../../ui/lazy.tsx'
import { ClaimGuest } from '../guests/ClaimGuest.tsx'
import { PingPicture } from '../pictures/PingPicture.tsx'
import { PingPlace } from '../place/PingPlace.tsx'
import { isExact } from '../place/place.rules.ts'
import { CalendarButton } from '../view/CalendarButton.tsx'
import { PingActions } from '../view/PingActions.tsx'
import { PingArticle } from '../view/PingArticle.tsx'
import { PingHeading } from '../view/PingHeading.tsx'
import { PingHistory } from '../view/PingHistory.tsx'
import { PingMessage } from '../view/PingMessage.tsx'
import { usePingStatus } from '../view/use-ping-status.ts'
import { PingReport } from './PingReport.tsx'

const LinkResponse = lazyComponent(async () => (await import('../guests/LinkResponse.tsx')).LinkResponse)

interface Props {
  ping: PublicPing
  viewer: User | null
}

/** The ping page of a signed-in user who has only the public link. */
export function LinkPingDetails({ ping, viewer }: Props) {
  const status = usePingStatus(ping)
  return (
    <PingArticle>
      <PingHeading ping={ping} status={status} owner={{ id: ping.user_id, hasImage: ping.user_has_image }} />
      {viewer !== null && status !== 'expired' && <LinkResponse ping={ping} viewer={viewer} />}
      <ClaimGuest ping={ping} />
      <PingPicture ping={ping} heightPx={300} />
      <PingPlace ping={ping} status={status} guest={ping.guest} />
      <PingMessage text={ping.message} />
      <PingActions>{status === 'pending' && isExact(ping) && <CalendarButton pingId={ping.id} />}</PingActions>
      <PingHistory ping={ping} status={status} />
      <PingReport ping={ping} />
    </PingArticle>
  )
}
