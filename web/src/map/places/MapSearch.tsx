import type { FoundPlace } from '@hither/contract/geo.ts'
import AddLocationAltRounded from '@mui/icons-material/AddLocationAltRounded'
import CloseRounded from '@mui/icons-material/CloseRounded'
import SearchRounded from '@mui/icons-material/SearchRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Paper from '@mui/material/Paper'
import { Marker, useMap } from '@vis.gl/react-maplibre'
import { type ReactNode, useRef, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { lazyComponent } from '../../ui/lazy.tsx'
import { pressedKey } from '../../ui/pressed-key.ts'
import { MapTool } from '../engine/MapTool.tsx'
import { type Place, zooms } from '../map-defaults.ts'

const PlaceSearch = lazyComponent(async () => (await import('./PlaceSearch.tsx')).PlaceSearch)

interface Props {
  onPinFound: (place: Place) => void
  /** Another action for the found place. */
  foundAction?: ((place: FoundPlace) => ReactNode) | undefined
}

/** Searches for a place and moves the map there. A click on the name starts a pin. */
export function MapSearch({ onPinFound, foundAction }: Props) {
  const { current: map } = useMap()
  const [isOpen, setIsOpen] = useState(false)
  const [found, setFound] = useState<FoundPlace | null>(null)
  const opener = useRef<HTMLElement | null>(null)
  const pinButton = useRef<HTMLButtonElement>(null)

  function handleOpen() {
    opener.current = document.activeElement instanceof HTMLElement ? document.activeElement : null
    setIsOpen(true)
  }

  function handleClose() {
    setIsOpen(false)
    setFound(null)
    opener.current?.focus()
  }

  function handleFound(place: FoundPlace) {
    setFound(place)
    map?.jumpTo({ center: [place.longitude, place.latitude], zoom: zooms.focusedPing })
    requestAnimationFrame(() => pinButton.current?.focus({ preventScroll: true }))
  }

  const centre = map?.getCenter()
  return (
    <>
      <MapTool row={2} label={t('map.search')} isExpanded={isOpen} onClick={isOpen ? handleClose : handleOpen}>
        <SearchRounded />
      </MapTool>
      {isOpen && (
        <Paper
          role="search"
          aria-label={t('map.search')}
          sx={{
            position: 'absolute',
            zIndex: 3,
            top: 8,
            insetInlineStart: 12,
            insetInlineEnd: 72,
            maxWidth: 480,
            p: 1.5,
            boxShadow: 4,
          }}
        >
          <PlaceSearch
            autoFocus
            near={centre === undefined ? null : { latitude: centre.lat, longitude: centre.lng }}
            onFound={handleFound}
            onEscape={handleClose}
            end={
              <IconButton aria-label={t('map.closeSearch')} edge="end" onClick={handleClose}>
                <CloseRounded fontSize="small" />
              </IconButton>
            }
          />
        </Paper>
      )}
      {found && (
        <Marker latitude={found.latitude} longitude={found.longitude} anchor="bottom" className="found-place">
          <Box
            sx={{ display: 'grid', justifyItems: 'center' }}
            onKeyDown={(event) => pressedKey(event) === 'Escape' && handleClose()}
            onClick={(event) => {
              // Otherwise the map would handle a click on the place below.
              event.stopPropagation()
            }}
          >
            <Button
              ref={pinButton}
              variant="contained"
              startIcon={<AddLocationAltRounded />}
              sx={{ maxWidth: 260, boxShadow: 3, textAlign: 'start', lineHeight: 1.2 }}
              onClick={() => {
                setFound(null)
                setIsOpen(false)
                onPinFound({ latitude: found.latitude, longitude: found.longitude })
              }}
            >
              {t('map.foundPlace', { name: found.name })}
            </Button>
            {foundAction?.(found)}
            <Box aria-hidden sx={{ width: 3, height: 14, bgcolor: 'primary.main' }} />
          </Box>
        </Marker>
      )}
    </>
  )
}
