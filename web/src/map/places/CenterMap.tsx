import PlaceRounded from '@mui/icons-material/PlaceRounded'
import Box from '@mui/material/Box'
import { type MapRef, useMap } from '@vis.gl/react-maplibre'
import { useEffect, useEffectEvent, useRef } from 'react'
import { SmallMap } from '../engine/SmallMap.tsx'
import type { Camera } from '../engine/stored-camera.ts'
import { placeOf } from '../location/coordinates.ts'
import { type Place, zooms } from '../map-defaults.ts'

interface Props {
  maplibre: typeof import('../engine/maplibre.ts')['maplibre']
  start: Camera
  /** The place to show. A new object moves the map. */
  target: Place | null
  /** The name of the map. */
  title: string
  /** Called after each movement by the user with the place under the pin. */
  onMove: (place: Place) => void
  onFailure: () => void
}

/** A map that the user moves under a pin that stays in its center. */
export function CenterMap({ maplibre, start, target, title, onMove, onFailure }: Props) {
  const map = useRef<MapRef>(null)

  useEffect(() => {
    if (target === null) return
    map.current?.jumpTo({ center: [target.longitude, target.latitude], zoom: zooms.focusedPing })
  }, [target])

  return (
    <Box className="hither-map" sx={{ position: 'absolute', inset: 0 }}>
      <SmallMap
        ref={map}
        maplibre={maplibre}
        start={start}
        title={title}
        canScrollZoom
        namesTowns
        onFailure={onFailure}
      >
        <CenterListener onMove={onMove} />
      </SmallMap>
      <PlaceRounded
        aria-hidden
        sx={{
          position: 'absolute',
          insetInlineStart: 0,
          insetInlineEnd: 0,
          mx: 'auto',
          top: '50%',
          // The tip of the drawing is a little above its lower edge.
          transform: 'translateY(calc(-100% + 4px))',
          fontSize: 48,
          color: 'primary.main',
          stroke: 'white',
          strokeWidth: 0.7,
          pointerEvents: 'none',
        }}
      />
    </Box>
  )
}

function CenterListener({ onMove }: { onMove: (place: Place) => void }) {
  const { current: map } = useMap()
  const handleMoveEnd = useEffectEvent((event: { originalEvent?: unknown }) => {
    if (map !== undefined && event.originalEvent !== undefined) onMove(placeOf(map.getCenter()))
  })

  useEffect(() => {
    const listener = (event: { originalEvent?: unknown }) => handleMoveEnd(event)
    map?.on('moveend', listener)
    return () => void map?.off('moveend', listener)
  }, [map])

  return null
}
