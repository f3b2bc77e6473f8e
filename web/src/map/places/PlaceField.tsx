import { geoLimits } from '@hither/contract/runtime/geo.ts'
import CloseRounded from '@mui/icons-material/CloseRounded'
import SearchRounded from '@mui/icons-material/SearchRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import InputAdornment from '@mui/material/InputAdornment'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { clientConfigQuery } from '../../api/client-config.ts'
import { t } from '../../i18n/translate.ts'
import { pressedKey } from '../../ui/pressed-key.ts'
import { TextField } from '../../ui/TextField.tsx'
import { coordinatesText } from '../location/coordinates.ts'
import type { Place } from '../map-defaults.ts'
import { PlaceSearch } from './PlaceSearch.tsx'
import type { ChosenAddress } from './use-address.ts'

interface Props {
  place: Place | null
  /** Whether `place` is the position of the device, which a search must not send along. */
  isOwnPosition: boolean
  address: ChosenAddress
  /** Other places to choose from, above the search. */
  saved?: ReactNode
  onFound: (place: Place) => void
}

/** Searches for another place and edits the address of the pin: typed, looked up on request, or empty. */
export function PlaceField({ place, isOwnPosition, address, saved, onFound }: Props) {
  const [isSearching, setIsSearching] = useState(false)
  const geocoder = useQuery(clientConfigQuery()).data?.geocoder ?? true
  const opener = useRef<HTMLButtonElement>(null)

  function endSearch() {
    setIsSearching(false)
    requestAnimationFrame(() => opener.current?.focus())
  }

  function handleKeyDown(event: KeyboardEvent) {
    // Otherwise Escape would also close the dialog around the field.
    if (pressedKey(event) === 'Escape') event.stopPropagation()
  }

  function helperText() {
    if (address.lookup === 'failed') return t('map.noAddress')
    if (address.text !== '') return undefined
    return geocoder ? t('map.addressGoesOut') : t('map.addressStaysHere')
  }

  return (
    <Box sx={{ display: 'grid', gap: 2, justifyItems: 'start' }}>
      {saved}
      {isSearching ? (
        <Box sx={{ width: '100%' }} onKeyDown={handleKeyDown}>
          <PlaceSearch
            autoFocus
            near={isOwnPosition ? null : place}
            onFound={({ latitude, longitude }) => {
              onFound({ latitude, longitude })
              endSearch()
            }}
            onEscape={endSearch}
          />
        </Box>
      ) : (
        <Button ref={opener} size="small" startIcon={<SearchRounded />} onClick={() => setIsSearching(true)}>
          {t('map.search')}
        </Button>
      )}
      {place !== null && (
        <TextField
          fullWidth
          label={t('map.address')}
          placeholder={coordinatesText(place)}
          value={address.text}
          onChange={(event) => address.change(event.target.value)}
          autoComplete="off"
          helperText={helperText()}
          slotProps={{
            inputLabel: { shrink: true },
            htmlInput: { maxLength: geoLimits.addressLength },
            input: {
              endAdornment: (
                <InputAdornment position="end">
                  {address.text === '' ? (
                    <Button
                      size="small"
                      loading={address.lookup === 'loading'}
                      onClick={address.find}
                      sx={{ marginInlineEnd: -1 }}
                    >
                      {t('map.findAddress')}
                    </Button>
                  ) : (
                    <IconButton aria-label={t('map.removeAddress')} edge="end" onClick={() => address.change('')}>
                      <CloseRounded fontSize="small" />
                    </IconButton>
                  )}
                </InputAdornment>
              ),
            },
          }}
        />
      )}
    </Box>
  )
}
