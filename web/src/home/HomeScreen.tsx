import type { Ping } from '@hither/contract/pings.ts'
import Box from '@mui/material/Box'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { useMatch, useNavigate } from 'react-router'
import { useSignupLinkNotice } from '../friend-links/use-signup-link-notice.ts'
import { t } from '../i18n/translate.ts'
import { MapNote } from '../map/engine/MapNote.tsx'
import { useLocate } from '../map/location/geolocation.ts'
import { showPlace } from '../map/places/shown-place.ts'
import { draftOfWaiting, type PingDraft } from '../pings/create/ping-draft.ts'
import type { WaitingPing } from '../pings/outbox/outbox.rules.ts'
import { pingsQuery } from '../pings/pings.api.ts'
import { rememberedHeightPx } from '../pings/suggestions/stored-suggestions.ts'
import { useLiveStatus } from '../realtime/live-status.ts'
import { useSession } from '../session/session.ts'
import { useLaunch } from '../share/use-launch.ts'
import { lazyComponent } from '../ui/lazy.tsx'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { useTitle } from '../ui/use-title.ts'
import { BottomSheet } from './BottomSheet.tsx'
import { HomeLists } from './HomeLists.tsx'
import { HomeMap } from './HomeMap.tsx'
import { HomePanel } from './HomePanel.tsx'
import { HomeTools } from './HomeTools.tsx'
import { useHomeLayout } from './use-home-layout.ts'
import { useMapCamera } from './use-map-camera.ts'
import { useNewPin } from './use-new-pin.ts'
import { useOpenedPlace } from './use-opened-place.ts'

const CreatePingDialog = lazyComponent(
  async () => (await import('../pings/create/CreatePingDialog.tsx')).CreatePingDialog,
)
const OpenedPin = lazyComponent(async () => (await import('./OpenedPin.tsx')).OpenedPin)
const ShownPlaceDialog = lazyComponent(async () => (await import('./ShownPlaceCard.tsx')).ShownPlaceDialog)
const DropAgain = lazyComponent(async () => (await import('../pings/drop-again/DropAgain.tsx')).DropAgain)
const LocationDialog = lazyComponent(async () => (await import('./LocationDialog.tsx')).LocationDialog)

const noPings: readonly Ping[] = []

/**
 * The map, with the lists in a sheet over it on a phone and next to it on a wide screen. Behind another screen only the
 * map stays mounted, invisible and without timers.
 */
export function HomeScreen() {
  const isShown = useMatch('/') !== null
  useTitle(isShown ? t('home.title') : null)
  const { user } = useSession()
  const isConnected = useLiveStatus() === 'live'
  const [suggestionsPx, setSuggestionsPx] = useState(() => (user === null ? 0 : rememberedHeightPx(user.id)))
  const layout = useHomeLayout(suggestionsPx)
  const { isWide, isPeeking, setStop } = layout
  const pings = useQuery(pingsQuery())
  const { isLocating, locate } = useLocate()
  const { start, target, focusPing, focusPlace, comeNear, handleMove, center } = useMapCamera(user?.id)
  const newPin = useNewPin(locate)
  const { showError } = useSnackbar()
  const [openId, setOpenId] = useState<string | null>(null)
  const [isMineExpanded, setIsMineExpanded] = useState(false)
  const [areToolsOpen, setAreToolsOpen] = useState(false)
  const [isMapless, setIsMapless] = useState(false)
  const openedPlace = useOpenedPlace(isShown, newPin, (place) => {
    setOpenId(null)
    setStop('peek')
    focusPlace(place)
  })
  useLaunch(isShown, newPin.begin)
  useSignupLinkNotice()
  const navigate = useNavigate()

  // The same function for every render, because hundreds of memoized rows get it.
  const handleOpen = useCallback(
    (ping: Ping) => {
      if (isMapless) return navigate(`/pins/${ping.id}`)
      // On a phone the sheet moves down to show the pin that was tapped in it.
      setStop('peek')
      showPlace(null)
      setOpenId(ping.id)
      focusPing(ping)
    },
    [isMapless, navigate, focusPing, setStop],
  )

  // Before the height of the map is known, the sheet and the buttons would move from the lower edge to their places.
  const isLaidOut = isShown && layout.mapHeightPx > 0

  const { close } = newPin
  // biome-ignore lint/correctness/useExhaustiveDependencies: `close` only sets state
  useEffect(() => {
    if (isShown) return
    setOpenId(null)
    close()
  }, [isShown])

  /** Without a map, the lists fill the screen. */
  function handleUnsupported() {
    setIsMapless(true)
    setStop('full')
  }

  function handleOpenPin(id: string | null) {
    if (id !== null) showPlace(null)
    setOpenId(id)
  }

  function handleEdit(ping: WaitingPing) {
    setOpenId(null)
    void newPin.begin(draftOfWaiting(ping), ping.input)
  }

  function handleDraftWithoutPlace(draft: PingDraft, area: Ping, reason: string) {
    if (!isMapless) focusPing(area)
    newPin.beginWithoutPlace(draft, reason)
  }

  async function handleRecenter() {
    void pings.refetch()
    try {
      comeNear(await locate())
    } catch (error) {
      const { isExplained, reason } = newPin.noteProblem(error)
      if (!isExplained && reason !== null) showError(reason)
    }
  }

  function handleToggleMine() {
    setIsMineExpanded(isPeeking || !isMineExpanded)
    if (isPeeking) setStop('half')
  }

  const lists = user && (
    <HomeLists
      user={user}
      // A list would push the first row of Friends Nearby below the edge.
      isMineExpanded={isMineExpanded && !isPeeking}
      isMapless={isMapless && !isWide}
      suggestionsPx={suggestionsPx}
      onSuggestions={setSuggestionsPx}
      onToggleMine={handleToggleMine}
      onOpen={handleOpen}
      onEdit={handleEdit}
      onAdd={newPin.atDevice}
    />
  )

  return (
    <Box
      inert={!isShown}
      sx={{ position: 'absolute', inset: 0, display: 'flex' }}
      // The map keeps its size while it is hidden, so that it need not be drawn again.
      style={isShown ? {} : { visibility: 'hidden', contentVisibility: 'hidden' }}
    >
      {isWide && <HomePanel>{isShown && lists}</HomePanel>}
      <Box
        ref={layout.mapRef}
        data-tools={areToolsOpen ? 'open' : 'closed'}
        sx={{ position: 'relative', flex: 1, minWidth: 0, overflow: 'hidden' }}
      >
        <HomeMap
          user={user}
          pings={pings.data ?? noPings}
          openId={openId}
          opened={openedPlace}
          start={start}
          target={target}
          insetBottomPx={layout.sheetPx}
          insetRightPx={layout.buttons.widthPx}
          isShown={isShown}
          isConnected={isConnected}
          onOpen={handleOpenPin}
          onPlace={newPin.atPlace}
          onEdit={handleEdit}
          onMove={handleMove}
          onUnsupported={handleUnsupported}
        />
        {isMapless && isWide && <MapNote>{t('map.unsupported')}</MapNote>}
        {isLaidOut && (
          <HomeTools
            user={user}
            positions={layout.buttons}
            newPin={newPin}
            isLocating={isLocating}
            areToolsOpen={areToolsOpen}
            onToggleTools={() => setAreToolsOpen(!areToolsOpen)}
            onRecenter={handleRecenter}
            onPin={comeNear}
          />
        )}
        {!isWide && isLaidOut && (
          <BottomSheet
            stop={layout.stop}
            onStop={setStop}
            availablePx={layout.mapHeightPx}
            peekPx={layout.peekPx}
            isFolding={layout.isLow}
          >
            {lists}
          </BottomSheet>
        )}
      </Box>
      {user && isShown && (
        <CreatePingDialog
          open={newPin.isOpen}
          owner={user}
          place={newPin.place}
          draft={newPin.draft}
          mapCenter={center}
          onPlace={newPin.atPlace}
          onOpen={newPin.open}
          onShown={newPin.handleShown}
          onLocate={newPin.atDevice}
          onClose={newPin.close}
        />
      )}
      {location.search.startsWith('?pin=') && <OpenedPin pings={pings} onOpen={handleOpen} />}
      {isMapless && openedPlace.place && (
        <ShownPlaceDialog open place={openedPlace.place} onPin={openedPlace.dropPin} onClose={openedPlace.close} />
      )}
      {location.search.startsWith('?again=') && (
        <DropAgain onDraft={newPin.begin} onDraftWithoutPlace={handleDraftWithoutPlace} />
      )}
      <LocationDialog
        open={isShown && newPin.problem !== null}
        reason={newPin.problem}
        onClose={newPin.dismissProblem}
      />
    </Box>
  )
}
