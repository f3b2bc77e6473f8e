import { useColorScheme } from '@mui/material/styles'
import {
  AttributionControl,
  type ErrorEvent,
  type MapLayerMouseEvent,
  Map as MapLibreMap,
  type MapRef,
} from '@vis.gl/react-maplibre'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { gridOf } from './grid.ts'
import { MapNote } from './MapNote.tsx'
import { cameraMs, type Place, startPlace, zooms } from './map-defaults.ts'
import { gridSource, mapStyle, worldSource } from './map-style.ts'
import { prefersStillness } from './stillness.ts'
import { mapStrings } from './strings.ts'

export interface MapTarget extends Place {
  /** To this zoom; or `nearest`: in as far as needed to see where one is. */
  zoom: number | 'nearest'
}

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

export function MapCanvas({ maplibre, target, insetBottomPx, onPress, onDrawn, onFailure, children }: Props) {
  const ref = useRef<MapRef>(null)
  const [isReady, setIsReady] = useState(false)
  const [zoom, setZoom] = useState<number>(zooms.start)
  const { colorScheme = 'light' } = useColorScheme()
  const style = useMemo(() => mapStyle(colorScheme), [colorScheme])

  useEffect(() => {
    const map = ref.current
    if (!isReady || map === null || target === null) return
    const { latitude, longitude } = target
    const near = map.getZoom() < zooms.nearEnough ? zooms.user : map.getZoom()
    const camera = {
      center: [longitude, latitude] as [number, number],
      zoom: target.zoom === 'nearest' ? near : target.zoom,
    }
    if (prefersStillness()) map.jumpTo(camera)
    else map.easeTo({ ...camera, duration: cameraMs })
  }, [target, isReady])

  useEffect(() => {
    const map = ref.current
    if (!isReady || map === null) return
    map.easeTo({
      padding: { top: 0, left: 0, right: 0, bottom: insetBottomPx },
      duration: prefersStillness() ? 0 : cameraMs,
    })
  }, [insetBottomPx, isReady])

  function handleLoad() {
    setIsReady(true)
    drawGrid()
    const canvas = ref.current?.getCanvas()
    // The map is moved with the arrow keys; Enter presses its middle.
    canvas?.addEventListener('keydown', (event) => {
      const centre = ref.current?.getCenter()
      if (event.key === 'Enter' && centre !== undefined) onPressRef.current(placeOf(centre))
    })
    onDrawn()
  }

  const onPressRef = useRef(onPress)
  useEffect(() => {
    onPressRef.current = onPress
  }, [onPress])

  function drawGrid() {
    const map = ref.current
    if (map === null || map === undefined) return
    setZoom(map.getZoom())
    const source = map.getSource(gridSource)
    if (source === undefined || !('setData' in source)) return
    const bounds = map.getBounds()
    const seen = { west: bounds.getWest(), east: bounds.getEast(), south: bounds.getSouth(), north: bounds.getNorth() }
    const isSeen = map.getZoom() > 8.5
    ;(source as { setData: (data: object) => void }).setData(
      isSeen ? gridOf(seen, map.getZoom()) : { type: 'FeatureCollection', features: [] },
    )
  }

  function handleError(event: ErrorEvent) {
    // Once drawn, only the loss of the world itself is worth starting over.
    if (!isReady || ('sourceId' in event && event.sourceId === worldSource)) onFailure(event.error)
  }

  function handleClick({ lngLat, originalEvent }: MapLayerMouseEvent) {
    // Markers and cards lie over the canvas; what is pressed on them is theirs.
    if (originalEvent.target === ref.current?.getCanvas()) onPress(placeOf(lngLat))
  }

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
        onStyleData={drawGrid}
        onMoveEnd={drawGrid}
        onClick={handleClick}
        onError={handleError}
      >
        <AttributionControl compact={false} position="bottom-left" />
        {children}
      </MapLibreMap>
      {isReady && zoom > zooms.streets && <MapNote>{mapStrings.noStreets}</MapNote>}
    </>
  )
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
