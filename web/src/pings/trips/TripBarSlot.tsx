import { useQuery } from '@tanstack/react-query'
import { serverNow } from '../../api/server-time.ts'
import { useSession } from '../../session/session.ts'
import { currentTrips } from '../../trips/sharing.rules.ts'
import { lazyComponent } from '../../ui/lazy.tsx'
import { pingsQuery } from '../pings.api.ts'

const TripBar = lazyComponent(async () => (await import('./TripBar.tsx')).TripBar)

/** Loads the trip bar when the viewer is on the way for the first time. */
export function TripBarSlot() {
  const { user } = useSession()
  const { data: open = false } = useQuery({
    ...pingsQuery(),
    enabled: user !== null,
    select: (pings) =>
      pings.some((ping) =>
        currentTrips(ping, serverNow()).some(({ user_id, state }) => user_id === user?.id && state === 'en_route'),
      ),
  })
  return <TripBar open={open} />
}
