import PlaceRounded from '@mui/icons-material/PlaceRounded'
import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import { type MapRef, Marker } from '@vis.gl/react-maplibre'
import { useEffect, useRef } from 'react'
import { t } from '../../i18n/translate.ts'
import { lazyComponent } from '../../ui/lazy.tsx'
import type { ShownArea } from '../areas/AreaCircles.tsx'
import { zoomOfCircle } from '../areas/area-circle.ts'
import { prefersReducedMotion } from '../engine/reduced-motion.ts'
import { SmallMap } from '../engine/SmallMap.tsx'
import { cameraMs, zooms } from '../map-defaults.ts'
import type { PlaceOnMap } from './place-on-map.ts'
import { useMapActivation } from './use-map-activation.ts'

interface Props extends PlaceOnMap {
  maplibre: typeof import('../engine/maplibre.ts')['maplibre']
  onFailure: () => void
}

/** The diameter of an area on the map, which is 240 px high. */
const circlePx = 180
const AreaCircles = lazyComponent<{ open: boolean; areas: readonly ShownArea[] }>(
  async () => (await import('../areas/AreaCircles.tsx')).AreaCircles,
)
const MapZoom = lazyComponent(async () => (await import('./MapZoom.tsx')).MapZoom)

/** An image of a place. After a tap it is a map that the user can move, also with the keyboard. */
export function PlaceViewMap({ maplibre, latitude, longitude, radiusM, isOwn, name, onFailure }: Props) {
  const map = useRef<MapRef>(null)
  const frame = useRef<HTMLDivElement>(null)
  const { isActive, button, activate } = useMapActivation(frame)
  const zoom = radiusM === null ? zooms.user : zoomOfCircle({ latitude, longitude }, radiusM, circlePx)

  useEffect(() => {
    const duration = prefersReducedMotion() ? 0 : cameraMs
    map.current?.easeTo({ center: [longitude, latitude], zoom, duration })
  }, [latitude, longitude, zoom])

  useEffect(() => {
    map.current?.getCanvas().setAttribute('aria-label', name)
  }, [name])

  useEffect(() => {
    // The button that had the focus is gone.
    if (isActive) map.current?.getCanvas().focus({ preventScroll: true })
  }, [isActive])

  return (
    <Box ref={frame} sx={{ position: 'absolute', inset: 0 }}>
      <Box {...(!isActive && { role: 'img', 'aria-label': name })} sx={{ height: '100%' }}>
        <Box className="hither-map" inert={!isActive} sx={{ height: '100%' }}>
          <SmallMap
            ref={map}
            maplibre={maplibre}
            start={{ latitude, longitude, zoom }}
            title={name}
            canScrollZoom
            namesTowns={radiusM !== null}
            onFailure={onFailure}
          >
            <AreaCircles open={radiusM !== null} areas={radiusM === null ? [] : [{ latitude, longitude, radiusM }]} />
            {radiusM === null && (
              <Marker latitude={latitude} longitude={longitude} anchor="bottom">
                <PlaceRounded
                  aria-hidden
                  sx={{
                    display: 'block',
                    fontSize: 44,
                    mb: '-4px',
                    color: isOwn ? 'primary.main' : 'secondary.main',
                    stroke: 'white',
                    strokeWidth: 0.7,
                  }}
                />
              </Marker>
            )}
            {isActive && <MapZoom />}
          </SmallMap>
        </Box>
      </Box>
      {!isActive && (
        <ButtonBase
          ref={button}
          disableRipple
          onClick={activate}
          sx={{
            position: 'absolute',
            inset: 0,
            borderRadius: '12px',
            alignItems: 'flex-start',
            justifyContent: 'flex-end',
            p: 1,
            '&:focus-visible': { outline: '3px solid', outlineColor: 'primary.main', outlineOffset: -3 },
          }}
        >
          <Box
            component="span"
            sx={{
              px: 1.5,
              py: 0.75,
              borderRadius: 999,
              bgcolor: 'background.paper',
              color: 'text.primary',
              typography: 'body2',
              fontWeight: 700,
              boxShadow: '0 1px 4px rgb(0 0 0 / 0.24)',
            }}
          >
            {t('map.placeView.activate')}
          </Box>
        </ButtonBase>
      )}
    </Box>
  )
}
