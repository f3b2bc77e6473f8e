import { type MapConfig } from '@hither/contract/maps.ts'
import SatelliteAltRounded from '@mui/icons-material/SatelliteAltRounded'
import { useColorScheme } from '@mui/material/styles'
import { useQuery } from '@tanstack/react-query'
import {
  AttributionControl,
  type ErrorEvent,
  type MapLayerMouseEvent,
  Map as MapLibreMap,
  type MapRef,
} from '@vis.gl/react-maplibre'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { clientConfigQuery } from '../api/client-config.ts'
import { type Bounds } from './grid.ts'
import { MapGrid } from './MapGrid.tsx'
import { MapPlaces } from './MapPlaces.tsx'
import { MapSearch } from './MapSearch.tsx'
import { MapTool } from './MapTool.tsx'
import { type Place, startPlace, zooms } from './map-defaults.ts'
import { mapStyle, worldSource } from './map-style.ts'
import { StreetNotes } from './StreetNotes.tsx'
import { StreetTiles } from './StreetTiles.tsx'
import { mapStrings } from './strings.ts'
import { type MapTarget, useCamera } from './use-camera.ts'
import { useImagery } from './use-imagery.ts'
import { useStreets } from './use-streets.ts'

export type { MapTarget } from './use-camera.ts'

interface Props {
  /** Given and not imported: this file is drawn with before the engine is there. */
  maplibre: typeof import('./maplibre.ts')['maplibre']
  target: MapTarget | null
  insetBottomPx: number
  onPress: (place: Place) => void
  onDrawn: () => void
  onFailure: (error: unknown) => void
  children: ReactNode
}

const none: MapConfig['satellite'] = []

export function MapCanvas({ maplibre, target, insetBottomPx, onPress, onDrawn, onFailure, children }: Props) {
  const ref = useRef<MapRef>(null)
  const [isReady, setIsReady] = useState(false)
  const [view, setView] = useState({ zoom: zooms.start as number, center: startPlace as Place })
  const { colorScheme = 'light' } = useColorScheme()
  // Anything from elsewhere waits until our own picture stands.
  const asked = useQuery({ ...clientConfigQuery(), enabled: isReady })
  const config = asked.data?.map ?? null
  const { streets, isProven, status, noteFailure, noteProof, noteComplete, retry } = useStreets(isReady ? config : null)
  // Megabytes of town names are for where no streets come to name them.
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

  const onPressRef = useRef(onPress)
  useEffect(() => {
    onPressRef.current = onPress
  }, [onPress])

  function handleLoad() {
    setIsReady(true)
    const canvas = ref.current?.getCanvas()
    // The map is moved with the arrow keys; Enter presses its middle.
    canvas?.addEventListener('keydown', (event) => {
      const centre = ref.current?.getCenter()
      if (event.key === 'Enter' && centre !== undefined) onPressRef.current(placeOf(centre))
    })
    onDrawn()
  }

  function handleMoveEnd() {
    const map = ref.current
    if (map !== null) setView({ zoom: map.getZoom(), center: placeOf(map.getCenter()) })
  }

  function handleError(event: ErrorEvent) {
    const source = 'sourceId' in event ? String(event.sourceId) : ''
    if (imagery.noteFailure(source)) return
    // Once drawn, only the loss of the world itself is worth starting over.
    if (!isReady || source === worldSource) onFailure(event.error)
  }

  function handleClick({ lngLat, originalEvent }: MapLayerMouseEvent) {
    // Markers and cards lie over the canvas; what is pressed on them is theirs.
    if (originalEvent.target === ref.current?.getCanvas()) onPress(placeOf(lngLat))
  }

  const hasStreets = isProven || streets.own.some(({ bounds }) => isWithin(view.center, bounds))

  return (
    <>
      <MapLibreMap
        ref={ref}
        mapLib={maplibre}
        initialViewState={{ ...startPlace, zoom: zooms.start }}
        minZoom={zooms.min}
        maxZoom={zooms.max}
        mapStyle={style}
        locale={{ 'Map.Title': mapStrings.title }}
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
        <AttributionControl compact={false} position="bottom-left" />
        <StreetTiles
          status={status}
          hasWholeStyle={streets.online !== null && 'layers' in streets.online}
          onFailure={noteFailure}
          onProof={noteProof}
          onComplete={noteComplete}
        />
        <MapPlaces isNeeded={needsPlaces && !isProven} />
        <MapGrid isNeeded={!hasStreets && !imagery.isSeen} />
        <MapSearch onPress={onPress} />
        {children}
      </MapLibreMap>
      {isReady && (
        <>
          <StreetNotes status={status} config={config} note={note()} onRetry={retry} />
          <MapTool row={1} label={mapStrings.satellite} isPressed={imagery.isWanted} onClick={imagery.toggle}>
            <SatelliteAltRounded />
          </MapTool>
        </>
      )}
    </>
  )

  function note(): string | null {
    if (imagery.note !== null) return imagery.note
    return !hasStreets && !imagery.isSeen && view.zoom > zooms.streets ? mapStrings.noStreets : null
  }
}

function isWithin({ latitude, longitude }: Place, { west, south, east, north }: Bounds): boolean {
  return latitude >= south && latitude <= north && longitude >= west && longitude <= east
}

/** A view carried around the world counts on beyond 180°. */
function placeOf({ lat, lng }: { lat: number; lng: number }): Place {
  const longitude = ((((lng + 180) % 360) + 360) % 360) - 180
  return { latitude: round(lat), longitude: round(longitude) }
}

/** A tenth of a metre. */
function round(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6
}
