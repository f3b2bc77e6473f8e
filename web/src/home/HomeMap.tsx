import type { Ping } from '@hither/contract/pings.ts'
import type { User } from '@hither/contract/users.ts'
import { Activity, type ComponentProps } from 'react'
import { serverNow } from '../api/server-time.ts'
import { MapView } from '../map/engine/MapView.tsx'
import { isInexact } from '../map/location/geolocation.ts'
import { useLastKnownPlace } from '../map/location/last-known-place.ts'
import type { Place } from '../map/map-defaults.ts'
import type { WaitingPing } from '../pings/outbox/outbox.rules.ts'
import { useWaitingPings } from '../pings/outbox/ping-outbox.ts'
import { waitingPinId } from '../pings/outbox/waiting-pins.ts'
import { titleOf } from '../pings/pings.rules.ts'
import { lazyComponent } from '../ui/lazy.tsx'
import { HomePins } from './HomePins.tsx'
import { homePins } from './home-pins.ts'
import type { useOpenedPlace } from './use-opened-place.ts'

const OwnPosition = lazyComponent(async () => (await import('../map/location/OwnPosition.tsx')).OwnPosition)
const PingCard = lazyComponent(async () => (await import('../pings/view/PingCard.tsx')).PingCard)
const ShownPlaceCard = lazyComponent(async () => (await import('./ShownPlaceCard.tsx')).ShownPlaceCard)
const SavePlaceButton = lazyComponent(
  async () => (await import('../pings/saved-places/SavePlaceButton.tsx')).SavePlaceButton,
)
const WaitingPingCard = lazyComponent(async () => (await import('../pings/outbox/WaitingPingCard.tsx')).WaitingPingCard)

interface Props extends Omit<ComponentProps<typeof MapView>, 'onPress' | 'onPinFound' | 'children'> {
  user: User | null
  pings: readonly Ping[]
  /** The pin whose card is open. */
  openId: string | null
  /** A place that another screen has opened. */
  opened: ReturnType<typeof useOpenedPlace>
  onOpen: (id: string | null) => void
  /** Called with the place of a new pin: that of a click that closed no card, or one that was searched. */
  onPlace: (place: Place) => void
  onEdit: (ping: WaitingPing) => void
}

/** The map of Home with the pins, the card of the open pin and the user's own position. */
export function HomeMap({ user, pings, openId, opened, onOpen, onPlace, onEdit, ...map }: Props) {
  const ownPlace = useLastKnownPlace()
  const waiting = useWaitingPings()
  const openPing = pings.find(({ id }) => id === openId)
  const openWaiting = waiting.find((ping) => waitingPinId(ping) === openId)
  const handleClose = () => onOpen(null)

  function handlePress(place: Place) {
    if (opened.place !== null) return opened.close()
    // While a card is open, a click outside of it closes it.
    const pins = homePins({ pings, waiting, viewer: user, nowMs: serverNow() })
    if (pins.some(({ id }) => id === openId)) handleClose()
    else onPlace(place)
  }

  function handlePinFound(place: Place) {
    opened.close()
    handleClose()
    onPlace(place)
  }

  function card() {
    if (openPing) return <PingCard ping={openPing} viewer={user} onClose={handleClose} />
    if (!openWaiting || !user) return null
    return <WaitingPingCard ping={openWaiting} owner={user} nowMs={Date.now()} onEdit={onEdit} onClose={handleClose} />
  }

  return (
    <MapView
      {...map}
      onPress={handlePress}
      onPinFound={handlePinFound}
      foundAction={(place) => (
        <SavePlaceButton place={place} size="small" variant="contained" color="inherit" sx={{ mt: 1 }} />
      )}
    >
      {opened.place && <ShownPlaceCard place={opened.place} onPin={opened.dropPin} onClose={opened.close} />}
      {ownPlace && <OwnPosition {...ownPlace} />}
      <Activity mode={map.isShown ? 'visible' : 'hidden'}>
        <HomePins
          pings={pings}
          waiting={waiting}
          viewer={user}
          openId={openId}
          ownArea={ownPlace !== null && isInexact(ownPlace) ? { ...ownPlace, radiusM: ownPlace.accuracyM } : null}
          card={card}
          cardLabel={openPing ? titleOf(openPing) : (openWaiting?.input.name ?? '')}
          onOpen={onOpen}
          onClose={handleClose}
        />
      </Activity>
    </MapView>
  )
}
