import { type Ping } from '@hither/contract/pings.ts'
import Box from '@mui/material/Box'
import { useTheme } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useState } from 'react'
import { useNavigate } from 'react-router'
import { serverNow } from '../api/server-time.ts'
import { useSession } from '../auth/session.ts'
import { useOwnPlace } from '../map/geolocation.ts'
import { MapNote } from '../map/MapNote.tsx'
import { MapView } from '../map/MapView.tsx'
import { type Place } from '../map/map-defaults.ts'
import { FriendsNearby } from '../pings/FriendsNearby.tsx'
import { MyPins } from '../pings/MyPins.tsx'
import { draftOfWaiting } from '../pings/ping-draft.ts'
import { useWaitingPings } from '../pings/ping-outbox.ts'
import { pingsQuery } from '../pings/pings.api.ts'
import { UploadNote } from '../pings/UploadNote.tsx'
import { type WaitingPing } from '../pings/waiting.rules.ts'
import { waitingPinId } from '../pings/waiting-pins.ts'
import { useLaunch } from '../share/use-launch.ts'
import { late } from '../ui/late.tsx'
import { useHeight } from '../ui/use-height.ts'
import { useTitle } from '../ui/use-title.ts'
import { BottomSheet } from './BottomSheet.tsx'
import { buttonPlaces } from './button-places.ts'
import { HomePins } from './HomePins.tsx'
import { homePins } from './home-pins.ts'
import { MapButtons } from './MapButtons.tsx'
import { QuickPinButton } from './QuickPinButton.tsx'
import { heightOf, type Stop } from './sheet-stops.ts'
import { homeStrings } from './strings.ts'
import { useMapTarget } from './use-map-target.ts'
import { useNewPin } from './use-new-pin.ts'

const OwnPosition = late(async () => (await import('../map/OwnPosition.tsx')).OwnPosition)
const PingCard = late(async () => (await import('../pings/PingCard.tsx')).PingCard)
const WaitingPingCard = late(async () => (await import('../pings/WaitingPingCard.tsx')).WaitingPingCard)
const CreatePingDialog = late(async () => (await import('../pings/CreatePingDialog.tsx')).CreatePingDialog)
const LocationDialog = late(async () => (await import('./LocationDialog.tsx')).LocationDialog)

const panelPx = 400
const noPings: readonly Ping[] = []

/** The map, with the lists over it on a phone and beside it on a wide screen. */
export function HomeScreen() {
  useTitle(homeStrings.title)
  const { user } = useSession()
  const isWide = useMediaQuery(useTheme().breakpoints.up('md'), { noSsr: true })
  const pings = useQuery(pingsQuery())
  const { ownPlace, isLocating, locate } = useOwnPlace()
  const { target, focusPing, comeNear } = useMapTarget()
  const newPin = useNewPin(locate)
  const [openId, setOpenId] = useState<string | null>(null)
  const [isMineExpanded, setIsMineExpanded] = useState(false)
  const [stop, setStop] = useState<Stop>('peek')
  const [isMapless, setIsMapless] = useState(false)
  useLaunch(newPin.begin)
  const navigate = useNavigate()
  const [mapRef, mapHeightPx] = useHeight<HTMLDivElement>()

  const waiting = useWaitingPings()
  const openWaiting = waiting.find((ping) => waitingPinId(ping) === openId)
  const openPing = pings.data?.find(({ id }) => id === openId)
  const sheetPx = isWide ? 0 : heightOf(stop, mapHeightPx)
  const buttons = buttonPlaces(stop === 'full' && !isWide ? heightOf('half', mapHeightPx) : sheetPx, mapHeightPx)

  // The same from one drawing to the next, as hundreds of rows hold it.
  const handleOpen = useCallback(
    (ping: Ping) => {
      if (isMapless) return navigate(`/pins/${ping.id}`)
      // On a phone the sheet makes way for what was tapped in it.
      setStop('peek')
      setOpenId(ping.id)
      focusPing(ping)
    },
    [isMapless, navigate, focusPing],
  )

  /** The lists take over. */
  function handleUnsupported() {
    setIsMapless(true)
    setStop('full')
  }

  function handlePress(place: Place) {
    // With a card open, a press beside it closes it.
    const pins = homePins({ pings: pings.data ?? noPings, waiting, viewer: user, nowMs: serverNow() })
    if (pins.some(({ id }) => id === openId)) setOpenId(null)
    else newPin.atPlace(place)
  }

  function handleEdit(ping: WaitingPing) {
    setOpenId(null)
    void newPin.begin(draftOfWaiting(ping), ping.input)
  }

  function card(): ReactNode {
    const handleClose = () => setOpenId(null)
    if (openPing) return <PingCard ping={openPing} viewer={user} onClose={handleClose} />
    if (!openWaiting || !user) return null
    return (
      <WaitingPingCard ping={openWaiting} owner={user} nowMs={Date.now()} onEdit={handleEdit} onClose={handleClose} />
    )
  }

  async function handleRecenter() {
    void pings.refetch()
    try {
      comeNear(await locate())
    } catch (error) {
      newPin.noteProblem(error)
    }
  }

  function handleToggleMine() {
    setIsMineExpanded(!isMineExpanded)
    if (!isMineExpanded && stop === 'peek') setStop('half')
  }

  const lists = (
    <>
      <MyPins isExpanded={isMineExpanded} onToggle={handleToggleMine} onOpen={handleOpen} onEdit={handleEdit} />
      <Box sx={{ borderTop: 1, borderColor: 'divider' }} />
      <FriendsNearby viewerId={user?.id} onOpen={handleOpen} />
    </>
  )

  return (
    <Box sx={{ height: '100%', display: 'flex' }}>
      {isWide && (
        <Box
          component="section"
          aria-label={homeStrings.listsLabel}
          sx={{
            width: panelPx,
            flexShrink: 0,
            overflowY: 'auto',
            borderRight: 1,
            borderColor: 'divider',
            bgcolor: 'background.paper',
          }}
        >
          {lists}
        </Box>
      )}
      <Box ref={mapRef} sx={{ position: 'relative', flex: 1, minWidth: 0, overflow: 'hidden' }}>
        <MapView target={target} insetBottomPx={sheetPx} onPress={handlePress} onUnsupported={handleUnsupported}>
          {ownPlace && <OwnPosition {...ownPlace} />}
          <HomePins
            pings={pings.data ?? noPings}
            waiting={waiting}
            viewer={user}
            openId={openId}
            card={card}
            cardLabel={openPing?.name ?? openWaiting?.input.name ?? ''}
            onOpen={setOpenId}
            onClose={() => setOpenId(null)}
          />
        </MapView>
        {isLocating && !newPin.isOpen ? <MapNote isWorking>{homeStrings.locating}</MapNote> : <UploadNote />}
        {user && <QuickPinButton owner={user} {...buttons.quick} findPlace={newPin.findPlace} onPin={comeNear} />}
        <MapButtons {...buttons.add} isLocating={isLocating} onRecenter={handleRecenter} onAdd={newPin.atDevice} />
        {!isWide && (
          <BottomSheet stop={stop} onStop={setStop} availablePx={mapHeightPx}>
            {lists}
          </BottomSheet>
        )}
      </Box>
      {user && (
        <CreatePingDialog
          open={newPin.isOpen}
          owner={user}
          place={newPin.place}
          draft={newPin.draft}
          onPlace={newPin.atPlace}
          onOpen={newPin.open}
          onLocate={newPin.atDevice}
          onClose={newPin.close}
        />
      )}
      <LocationDialog open={newPin.problem !== null} reason={newPin.problem} onClose={newPin.dismissProblem} />
    </Box>
  )
}
