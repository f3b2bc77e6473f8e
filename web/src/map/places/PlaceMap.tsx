import PlaceRounded from '@mui/icons-material/PlaceRounded'
import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import { type MapRef, Marker } from '@vis.gl/react-maplibre'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { t } from '../../i18n/translate.ts'
import { lazyComponent } from '../../ui/lazy.tsx'
import { pressedKey } from '../../ui/pressed-key.ts'
import type { ShownArea } from '../areas/AreaCircles.tsx'
import { zoomOfCircle } from '../areas/area-circle.ts'
import { SmallMap } from '../engine/SmallMap.tsx'
import { placeOf } from '../location/coordinates.ts'
import { cameraMs, type Place, zooms } from '../map-defaults.ts'

interface Props {
  maplibre: NonNullable<ReturnType<typeof import('../engine/drawn-map.ts')['drawnMaplibre']>>
  place: Place
  /** The radius of the error of the place, which is drawn as a circle. */
  errorM: number | null
  onMove: (place: Place) => void
}

/** How wide the circle of the error is on the map, which is 148 px high. */
const circlePx = 110
const AreaCircles = lazyComponent<{ open: boolean; areas: readonly ShownArea[] }>(
  async () => (await import('../areas/AreaCircles.tsx')).AreaCircles,
)

/** How far an arrow key moves the pin. */
const stepPx = 12
const steps: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-stepPx, 0],
  ArrowRight: [stepPx, 0],
  ArrowUp: [0, -stepPx],
  ArrowDown: [0, stepPx],
}

/** A small map around a pin that the user drags, or moves with the arrow keys. It fills the height of its parent. */
export function PlaceMap({ maplibre, place, errorM, onMove }: Props) {
  const { latitude, longitude } = place
  const ref = useRef<MapRef>(null)

  const errorZoom = errorM === null ? zooms.user : Math.min(zooms.user, zoomOfCircle(place, errorM, circlePx))

  useEffect(() => {
    ref.current?.easeTo({ center: [longitude, latitude], duration: cameraMs })
  }, [latitude, longitude])

  function handleKeyDown(event: KeyboardEvent) {
    const map = ref.current
    const step = steps[pressedKey(event) ?? '']
    if (map === null || step === undefined) return
    // Otherwise the map would move as well, and the dialog would scroll.
    event.stopPropagation()
    event.preventDefault()
    const { x, y } = map.project([longitude, latitude])
    onMove(placeOf(map.unproject([x + step[0], y + step[1]])))
  }

  return (
    <Box
      className="hither-map"
      sx={{ position: 'relative', height: 1, borderRadius: '16px 16px 0 0', overflow: 'hidden' }}
    >
      <SmallMap
        ref={ref}
        maplibre={maplibre}
        start={{ latitude, longitude, zoom: errorZoom }}
        title={t('map.placeMap')}
        // The wheel scrolls the dialog.
        canScrollZoom={false}
        onClick={({ lngLat }) => onMove(placeOf(lngLat))}
      >
        <AreaCircles open={errorM !== null} areas={errorM === null ? [] : [{ latitude, longitude, radiusM: errorM }]} />
        <Marker
          latitude={latitude}
          longitude={longitude}
          anchor="bottom"
          draggable
          onDragEnd={({ lngLat }) => onMove(placeOf(lngLat))}
        >
          <ButtonBase
            aria-label={t('map.movePin')}
            onKeyDown={handleKeyDown}
            onClick={(event) => {
              // Otherwise the map would handle a click on the place below.
              event.stopPropagation()
            }}
            sx={{ width: 48, height: 48, borderRadius: 2, color: 'primary.main', cursor: 'grab', alignItems: 'end' }}
          >
            <PlaceRounded sx={{ fontSize: 44, mb: '-4px', stroke: 'white', strokeWidth: 0.7 }} />
          </ButtonBase>
        </Marker>
      </SmallMap>
    </Box>
  )
}
