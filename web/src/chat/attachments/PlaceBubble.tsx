import PlaceRounded from '@mui/icons-material/PlaceRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useNavigate } from 'react-router'
import { t } from '../../i18n/translate.ts'
import { addressText } from '../../map/location/address-text.ts'
import { type NamedPlace, showPlace } from '../../map/places/shown-place.ts'

interface Props {
  place: NamedPlace
  /** Null for an own message. */
  senderName: string | null
  isOwn: boolean
}

/** A place at the top of its bubble, with the way to the map. */
export function PlaceBubble({ place, senderName, isOwn }: Props) {
  const navigate = useNavigate()
  const name = place.name ?? t('chat.place.unnamed')

  function handleOpen() {
    showPlace(place)
    void navigate('/')
  }

  return (
    <Box
      role="group"
      aria-label={
        senderName === null
          ? t('chat.place.own', { place: name })
          : t('chat.place.of', { name: senderName, place: name })
      }
      sx={{ display: 'grid', gap: 0.5, width: 248, maxWidth: '100%' }}
    >
      <Box sx={{ display: 'flex', gap: 1.25, alignItems: 'center', minWidth: 0 }}>
        <Box
          sx={{
            flexShrink: 0,
            width: 40,
            height: 40,
            display: 'grid',
            placeItems: 'center',
            borderRadius: '50%',
            bgcolor: isOwn ? 'rgb(255 255 255 / 0.18)' : 'background.paper',
          }}
        >
          <PlaceRounded aria-hidden />
        </Box>
        <Box sx={{ minWidth: 0, overflowWrap: 'anywhere', lineHeight: 1.35 }}>
          <Box sx={{ fontWeight: 700 }}>
            <bdi>{name}</bdi>
          </Box>
          {place.address !== null && (
            <Box dir="auto" sx={{ fontSize: '0.875rem' }}>
              {addressText(place.address)}
            </Box>
          )}
        </Box>
      </Box>
      <Button
        color="inherit"
        variant="outlined"
        onClick={(event) => {
          event.stopPropagation()
          handleOpen()
        }}
        sx={{ mt: 0.5, mb: 0.5, borderColor: 'currentcolor' }}
      >
        {t('chat.place.open')}
      </Button>
    </Box>
  )
}
