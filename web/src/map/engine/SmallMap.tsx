import { useColorScheme } from '@mui/material/styles'
import { useQuery } from '@tanstack/react-query'
import {
  AttributionControl,
  type ErrorEvent,
  type MapLayerMouseEvent,
  Map as MapLibreMap,
  type MapRef,
} from '@vis.gl/react-maplibre'
import { type ReactNode, type Ref, useMemo, useState } from 'react'
import { clientConfigQuery } from '../../api/client-config.ts'
import { t } from '../../i18n/translate.ts'
import { loading, zooms } from '../map-defaults.ts'
import { MapPlaces } from '../places/MapPlaces.tsx'
import { mapStyle, worldSource } from '../style/map-style.ts'
import { StreetTiles } from '../tiles/StreetTiles.tsx'
import { useStreets } from '../tiles/use-streets.ts'
import { ContextGuard } from './ContextGuard.tsx'
import { noteDrawn } from './drawn-map.ts'
import { MapAlert } from './MapAlert.tsx'
import { MapErrorBoundary } from './MapErrorBoundary.tsx'
import { MapGrid } from './MapGrid.tsx'
import type { Camera } from './stored-camera.ts'

interface Props {
  ref: Ref<MapRef>
  maplibre: typeof import('./maplibre.ts')['maplibre']
  start: Camera
  /** The name of the map. */
  title: string
  canScrollZoom: boolean
  /** Whether towns are named where no streets are known. Their names are a large file. */
  namesTowns?: boolean
  onClick?: (event: MapLayerMouseEvent) => void
  /** Called if the map cannot be drawn, to show what replaces it. Without it the map itself offers a retry. */
  onFailure?: (error: unknown) => void
  children: ReactNode
}

type DrawnProps = Omit<Props, 'onFailure'> & Record<'onLost' | 'onFailure', (error: unknown) => void>

const attempts = loading.retries + 1

/** A map of streets without tools, for a part of a screen. It fills its container, and is drawn again if it breaks. */
export function SmallMap({ onFailure, ...props }: Props) {
  const [attempt, setAttempt] = useState(1)

  function restart(error: unknown) {
    if (attempt === attempts && onFailure !== undefined) onFailure(error)
    else setAttempt(attempt + 1)
  }

  if (attempt > attempts) return <MapAlert message={t('map.failedToStart')} onRetry={() => setAttempt(1)} />
  return (
    <MapErrorBoundary key={attempt} onFailure={restart}>
      <DrawnMap {...props} onLost={restart} onFailure={onFailure ?? restart} />
    </MapErrorBoundary>
  )
}

function DrawnMap({ ref, maplibre, start, title, canScrollZoom, namesTowns = false, ...rest }: DrawnProps) {
  const { onClick, onLost, onFailure, children } = rest
  const [isReady, setIsReady] = useState(false)
  const { colorScheme = 'light' } = useColorScheme()
  // Requests to other servers wait until the embedded map is rendered.
  const config = useQuery({ ...clientConfigQuery(), enabled: isReady }).data?.map ?? null
  const { streets, isProven, status, noteFailure, noteProof, noteComplete } = useStreets(isReady ? config : null)
  const hasPlaces = namesTowns && config?.online_streets === null && config.own_streets.length === 0
  const style = useMemo(
    () =>
      mapStyle({
        scheme: colorScheme,
        hasPlaces,
        hasWorld: !isProven,
        hasShippedImagery: false,
        satellite: [],
        ...streets,
      }),
    [colorScheme, hasPlaces, isProven, streets],
  )

  function handleLoad() {
    noteDrawn(maplibre)
    setIsReady(true)
  }

  function handleError(event: ErrorEvent) {
    const source = 'sourceId' in event ? String(event.sourceId) : ''
    if (!isReady || source === worldSource) onFailure(event.error)
  }

  return (
    <MapLibreMap
      ref={ref}
      mapLib={maplibre}
      initialViewState={start}
      minZoom={zooms.min}
      maxZoom={zooms.max}
      mapStyle={style}
      locale={{ 'Map.Title': title }}
      attributionControl={false}
      scrollZoom={canScrollZoom}
      dragRotate={false}
      touchPitch={false}
      fadeDuration={0}
      onLoad={handleLoad}
      onError={handleError}
      {...(onClick && { onClick })}
    >
      <AttributionControl compact={false} position="bottom-left" />
      <StreetTiles
        status={status}
        hasExternalStyle={streets.online !== null && 'layers' in streets.online}
        onFailure={noteFailure}
        onProof={noteProof}
        onComplete={noteComplete}
      />
      <MapPlaces isNeeded={hasPlaces} />
      <MapGrid isNeeded={!isProven && streets.own.length === 0} />
      <ContextGuard onFailure={onLost} />
      {children}
    </MapLibreMap>
  )
}
