import type { FoundPlace } from '@hither/contract/geo.ts'
import type { MapConfig } from '@hither/contract/maps.ts'
import SatelliteAltRounded from '@mui/icons-material/SatelliteAltRounded'
import { useColorScheme } from '@mui/material/styles'
import { useQuery } from '@tanstack/react-query'
import {
  AttributionControl,
  type ErrorEvent,
  type MapLayerMouseEvent,
  Map as MapLibreMap,
  type MapRef,
  type ViewStateChangeEvent,
} from '@vis.gl/react-maplibre'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { clientConfigQuery } from '../../api/client-config.ts'
import { isRightToLeft } from '../../i18n/language.ts'
import { t } from '../../i18n/translate.ts'
import { pressedKey } from '../../ui/pressed-key.ts'
import { placeOf } from '../location/coordinates.ts'
import { type Place, zooms } from '../map-defaults.ts'
import { MapPlaces } from '../places/MapPlaces.tsx'
import { MapSearch } from '../places/MapSearch.tsx'
import { mapStyle, worldSource } from '../style/map-style.ts'
import { StreetNotes } from '../tiles/StreetNotes.tsx'
import { StreetTiles } from '../tiles/StreetTiles.tsx'
import { useImagery } from '../tiles/use-imagery.ts'
import { useStreets } from '../tiles/use-streets.ts'
import { ContextGuard } from './ContextGuard.tsx'
import type { Bounds } from './grid.ts'
import { MapGrid } from './MapGrid.tsx'
import { MapTool } from './MapTool.tsx'
import type { Camera } from './stored-camera.ts'
import { type MapTarget, useCamera } from './use-camera.ts'

export type { MapTarget } from './use-camera.ts'

interface Props {
  /** Passed as a property and not imported, because this file renders before MapLibre has loaded. */
  maplibre: typeof import('./maplibre.ts')['maplibre']
  /** Returns the camera with which the map opens. */
  start: () => Camera
  target: MapTarget | null
  insetBottomPx: number
  isShown: boolean
  /** Called after each movement. `isByUser` is false for movements of the app. */
  onMove: (camera: Camera, isByUser: boolean) => void
  onPress: (place: Place) => void
  onPinFound: (place: Place) => void
  /** See `MapSearch`. */
  foundAction?: (place: FoundPlace) => ReactNode
  onDrawn: () => void
  onFailure: (error: unknown) => void
  children: ReactNode
}

const none: MapConfig['satellite'] = []

export function MapCanvas(props: Props) {
  const { maplibre, target, insetBottomPx, isShown, onMove, onPress, onDrawn, onFailure, children } = props
  const ref = useRef<MapRef>(null)
  const [isReady, setIsReady] = useState(false)
  const [start] = useState(props.start)
  const [view, setView] = useState({ zoom: start.zoom, center: start as Place })
  const { colorScheme = 'light' } = useColorScheme()
  // Requests to other servers wait until the embedded map is rendered.
  const asked = useQuery({ ...clientConfigQuery(), enabled: isReady })
  const config = asked.data?.map ?? null
  const { streets, isProven, status, noteFailure, noteProof, noteComplete, retry } = useStreets(isReady ? config : null)
  // The town names are megabytes, so they are loaded only if no street map with names is expected.
  const comesOnline = config !== null && config.online_streets !== null && status.phase !== 'failed'
  const isAwaitingStreets = asked.isPending || (comesOnline && status.attempt === 1)
  const [needsPlaces, setNeedsPlaces] = useState(false)
  if (isReady && !isAwaitingStreets && !needsPlaces) setNeedsPlaces(true)
  const imagery = useImagery(config?.satellite ?? none, view.zoom)
  const { satellite, hasShipped } = imagery
  const scheme = imagery.isSeen ? 'imagery' : colorScheme
  const style = useMemo(
    () =>
      mapStyle({
        scheme,
        hasPlaces: needsPlaces && !isProven,
        hasWorld: !isProven,
        hasShippedImagery: isReady && hasShipped,
        satellite,
        ...streets,
      }),
    [scheme, isReady, needsPlaces, isProven, satellite, hasShipped, streets],
  )
  useCamera(ref, isReady, target, insetBottomPx)

  // The browser may have discarded the frame of a hidden map.
  useEffect(() => {
    if (isShown && isReady) ref.current?.triggerRepaint()
  }, [isShown, isReady])

  const onPressRef = useRef(onPress)
  useEffect(() => {
    onPressRef.current = onPress
  }, [onPress])

  function handleLoad() {
    setIsReady(true)
    const canvas = ref.current?.getCanvas()
    // The map moves with the arrow keys. Enter presses its centre.
    canvas?.addEventListener('keydown', (event) => {
      const centre = ref.current?.getCenter()
      if (pressedKey(event) === 'Enter' && centre !== undefined) onPressRef.current(placeOf(centre))
    })
    onDrawn()
  }

  function handleMoveEnd({ originalEvent }: ViewStateChangeEvent) {
    const map = ref.current
    if (map === null) return
    const moved = { zoom: map.getZoom(), center: placeOf(map.getCenter()) }
    setView(moved)
    onMove({ ...moved.center, zoom: moved.zoom }, originalEvent !== undefined)
  }

  function handleError(event: ErrorEvent) {
    const source = 'sourceId' in event ? String(event.sourceId) : ''
    if (imagery.noteFailure(source)) return
    // After the first render, only a failure of the embedded world map requires a restart.
    if (!isReady || source === worldSource) onFailure(event.error)
  }

  function handleClick({ lngLat, originalEvent }: MapLayerMouseEvent) {
    // Markers and cards lie over the canvas and handle their own clicks.
    if (originalEvent.target === ref.current?.getCanvas()) onPress(placeOf(lngLat))
  }

  const isCovered = streets.own.some(({ bounds }) => isWithin(view.center, bounds))
  const hasStreets = isProven || isCovered

  return (
    <>
      <MapLibreMap
        ref={ref}
        mapLib={maplibre}
        initialViewState={{ ...start, padding: { top: 0, left: 0, right: 0, bottom: insetBottomPx } }}
        minZoom={zooms.min}
        maxZoom={zooms.max}
        mapStyle={style}
        locale={{ 'Map.Title': t('map.title') }}
        attributionControl={false}
        dragRotate={false}
        pitchWithRotate={false}
        touchPitch={false}
        fadeDuration={0}
        onLoad={handleLoad}
        onMoveEnd={handleMoveEnd}
        onClick={handleClick}
        onError={handleError}
        onSourceData={imagery.noteData}
      >
        {/* In the corner that the buttons of the map leave free. */}
        <AttributionControl compact={false} position={isRightToLeft ? 'bottom-right' : 'bottom-left'} />
        <StreetTiles
          status={status}
          hasExternalStyle={streets.online !== null && 'layers' in streets.online}
          onFailure={noteFailure}
          onProof={noteProof}
          onComplete={noteComplete}
        />
        <MapPlaces isNeeded={needsPlaces && !isProven} />
        <MapGrid isNeeded={!hasStreets && !imagery.isSeen} />
        <ContextGuard onFailure={onFailure} />
        <MapSearch onPinFound={props.onPinFound} foundAction={props.foundAction} />
        {children}
      </MapLibreMap>
      {isReady && (
        <>
          <StreetNotes status={status} config={config} note={note()} isCovered={isCovered} onRetry={retry} />
          <MapTool row={1} label={t('map.satellite')} isPressed={imagery.isWanted} onClick={imagery.toggle}>
            <SatelliteAltRounded />
          </MapTool>
        </>
      )}
    </>
  )

  function note(): string | null {
    if (imagery.note !== null) return imagery.note
    return !hasStreets && !imagery.isSeen && view.zoom > zooms.streets ? t('map.noStreets') : null
  }
}

function isWithin({ latitude, longitude }: Place, { west, south, east, north }: Bounds): boolean {
  return latitude >= south && latitude <= north && longitude >= west && longitude <= east
}
