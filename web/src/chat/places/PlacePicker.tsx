import type { UserId } from '@hither/contract/ids.ts'
import PlaceRounded from '@mui/icons-material/PlaceRounded'
import SendRounded from '@mui/icons-material/SendRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import { useTheme } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useId, useState } from 'react'
import { mirrored } from '../../i18n/language.ts'
import { t } from '../../i18n/translate.ts'
import { readCamera, startCamera } from '../../map/engine/stored-camera.ts'
import { addressOrCoordinates } from '../../map/location/address-text.ts'
import type { Place } from '../../map/map-defaults.ts'
import { useMapCode } from '../../map/place-view/use-map-code.ts'
import { PlaceSearch } from '../../map/places/PlaceSearch.tsx'
import type { NamedPlace } from '../../map/places/shown-place.ts'
import { useAddress } from '../../map/places/use-address.ts'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { DialogHeading } from '../DialogHeading.tsx'
import { isSamePlace, namedPlace } from './chosen-place.ts'

interface Props {
  open: boolean
  viewerId: UserId
  onSend: (place: NamedPlace) => void
  onClose: () => void
}

async function loadMap() {
  const [{ maplibre }, { CenterMap }] = await Promise.all([
    import('../../map/engine/maplibre.ts'),
    import('../../map/places/CenterMap.tsx'),
  ])
  return { maplibre, CenterMap }
}

/** Chooses a place: by moving the map under the pin, or by a search. It never asks for the position of the device. */
export function PlacePicker({ open, viewerId, onSend, onClose }: Props) {
  const id = useId()
  const isPhone = useMediaQuery(useTheme().breakpoints.down('sm'), { noSsr: true })
  return (
    <Dialog
      open={open}
      onClose={onClose}
      fullScreen={isPhone}
      fullWidth
      maxWidth="sm"
      aria-labelledby={id}
      slotProps={{ paper: { sx: { height: isPhone ? '100%' : 'min(720px, calc(100% - 32px))' } } }}
    >
      <DialogHeading id={id} title={t('chat.place.title')} closeLabel={t('chat.place.close')} onClose={onClose} />
      <PickerContent viewerId={viewerId} onSend={onSend} />
    </Dialog>
  )
}

/** A separate component, because it is mounted with each opening and starts at the map's last view. */
function PickerContent({ viewerId, onSend }: Pick<Props, 'viewerId' | 'onSend'>) {
  const [start] = useState(() => startCamera(readCamera(viewerId), null, Date.now()))
  const [place, setPlace] = useState<Place>({ latitude: start.latitude, longitude: start.longitude })
  const [found, setFound] = useState<NamedPlace | null>(null)
  const { state, fail, retry } = useMapCode(loadMap, true)
  const address = useAddress(place)
  const chosen = namedPlace(place, found, address.text)
  // Without a map, only a search says which place is meant.
  const canSend = state.phase === 'loaded' || found !== null

  function handleMove(moved: Place) {
    if (found !== null && isSamePlace(found, moved)) return
    setFound(null)
    setPlace(moved)
  }

  return (
    <>
      <Box sx={{ px: 2, pt: 1, pb: 1.5 }}>
        <PlaceSearch
          near={place}
          onFound={({ name, address, latitude, longitude }) => {
            setFound({ name, address, latitude, longitude })
            setPlace({ latitude, longitude })
          }}
        />
      </Box>
      <Box sx={{ position: 'relative', flex: 1, minHeight: 200, overflow: 'hidden', bgcolor: 'action.hover' }}>
        {state.phase === 'loaded' && (
          <state.code.CenterMap
            maplibre={state.code.maplibre}
            start={start}
            target={found}
            title={t('chat.place.map')}
            onMove={handleMove}
            onFailure={fail}
          />
        )}
        {state.phase === 'loading' && (
          <Box sx={{ height: '100%', display: 'grid', placeItems: 'center' }}>
            <CircularProgress aria-label={t('chat.place.mapLoading')} />
          </Box>
        )}
        {state.phase === 'failed' && (
          <Box sx={{ height: '100%', p: 2, display: 'grid', alignContent: 'center', justifyItems: 'center', gap: 1 }}>
            <Typography role="status" color="textSecondary" sx={{ textAlign: 'center' }}>
              {t('chat.place.mapFailed')}
            </Typography>
            <Button variant="outlined" onClick={retry}>
              {t('chat.place.retry')}
            </Button>
          </Box>
        )}
      </Box>
      <Box sx={{ px: 2, pt: 1, pb: 'calc(16px + var(--sab))', display: 'grid', gap: 1 }}>
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, minHeight: 52 }}>
          <PlaceRounded aria-hidden color="primary" />
          <Box role="status" sx={{ flex: 1, minWidth: 0 }}>
            <Typography noWrap sx={{ fontWeight: 600 }}>
              {chosen.name ?? t('chat.place.unnamed')}
            </Typography>
            <Typography noWrap variant="body2" color="textSecondary">
              {address.lookup === 'failed'
                ? t('map.noAddress')
                : addressOrCoordinates({ ...place, address: chosen.address })}
            </Typography>
          </Box>
          {chosen.address === null && (
            <Button size="small" loading={address.lookup === 'loading'} onClick={address.find} sx={{ flexShrink: 0 }}>
              {t('map.findAddress')}
            </Button>
          )}
        </Box>
        <Button
          variant="contained"
          size="large"
          endIcon={<SendRounded sx={mirrored} />}
          disabled={!canSend}
          onClick={() => onSend(chosen)}
        >
          {t('chat.place.send')}
        </Button>
      </Box>
    </>
  )
}
