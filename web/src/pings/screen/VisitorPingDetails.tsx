import type { PingId } from '@hither/contract/ids.ts'
import type { AnonymousPing } from '@hither/contract/pings.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { lazyComponent } from '../../ui/lazy.tsx'
import { hasResponse } from '../guests/guest.rules.ts'
import { useStoredGuest } from '../guests/stored-guests.ts'
import { PingPlace } from '../place/PingPlace.tsx'
import { isExact } from '../place/place.rules.ts'
import { CalendarButton } from '../view/CalendarButton.tsx'
import { LoginInvitation } from '../view/LoginInvitation.tsx'
import { PingActions } from '../view/PingActions.tsx'
import { PingArticle } from '../view/PingArticle.tsx'
import { PingHeading } from '../view/PingHeading.tsx'
import { PingHistory } from '../view/PingHistory.tsx'
import { usePingStatus } from '../view/use-ping-status.ts'

const GuestPing = lazyComponent(async () => (await import('../guests/GuestPing.tsx')).GuestPing)

interface Props {
  pingId: PingId
  /** Null if visitors do not see the ping. After its end, this device may still have a response to it. */
  ping: AnonymousPing | null
  notFound: ReactNode
}

/** The ping page of a visitor without an account. */
export function VisitorPingDetails({ pingId, ping, notFound }: Props) {
  const stored = useStoredGuest(pingId)
  if (hasResponse(stored) || (ping && ping.guest_policy !== 'off'))
    return <GuestPing key={pingId} pingId={pingId} ping={ping} notFound={notFound} />
  return ping ? <PingWithoutGuests ping={ping} /> : notFound
}

/** The page of a ping to which only invited friends can respond. */
function PingWithoutGuests({ ping }: { ping: AnonymousPing }) {
  const status = usePingStatus(ping)
  return (
    <PingArticle>
      {/* Visitors do not get the id of the owner. */}
      <PingHeading ping={ping} status={status} owner={{ id: ping.id, hasImage: false, color: ping.avatar_color }} />
      <PingPlace ping={ping} status={status} />
      <PingActions>{status === 'pending' && isExact(ping) && <CalendarButton pingId={ping.id} />}</PingActions>
      <LoginInvitation
        login={
          status === 'expired'
            ? null
            : { text: t('pings.guest.onlyInvitedLogin', { owner: shownName(ping) }), isMain: true }
        }
      />
      <PingHistory ping={ping} status={status} />
    </PingArticle>
  )
}
