import { geoLimits } from '@hither/contract/geo.ts'
import CloseRounded from '@mui/icons-material/CloseRounded'
import SearchRounded from '@mui/icons-material/SearchRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import InputAdornment from '@mui/material/InputAdornment'
import { type KeyboardEvent, useRef, useState } from 'react'
import { TextField } from '../ui/TextField.tsx'
import { coordinatesText } from './coordinates.ts'
import { type Place } from './map-defaults.ts'
import { PlaceSearch } from './PlaceSearch.tsx'
import { mapStrings } from './strings.ts'
import { type ChosenAddress } from './use-address.ts'

interface Props {
  place: Place | null
  address: ChosenAddress
  onFound: (place: Place) => void
}

/** Another place by its name, and the address that goes along with the one chosen: found by itself, changed or left out at will. */
export function PlaceField({ place, address, onFound }: Props) {
  const [isSearching, setIsSearching] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)

  function endSearch() {
    setIsSearching(false)
    requestAnimationFrame(() => opener.current?.focus())
  }

  function handleKeyDown(event: KeyboardEvent) {
    // It would close the dialog around it.
    if (event.key === 'Escape') event.stopPropagation()
  }

  return (
    <Box sx={{ display: 'grid', gap: 2, justifyItems: 'start' }}>
      {isSearching ? (
        <Box sx={{ width: '100%' }} onKeyDown={handleKeyDown}>
          <PlaceSearch
            autoFocus
            near={place}
            onFound={({ latitude, longitude }) => {
              onFound({ latitude, longitude })
              endSearch()
            }}
            onEscape={endSearch}
          />
        </Box>
      ) : (
        <Button ref={opener} size="small" startIcon={<SearchRounded />} onClick={() => setIsSearching(true)}>
          {mapStrings.search}
        </Button>
      )}
      {place !== null && (
        <TextField
          fullWidth
          label={mapStrings.address}
          placeholder={coordinatesText(place)}
          value={address.text}
          onChange={(event) => address.change(event.target.value)}
          autoComplete="off"
          slotProps={{
            inputLabel: { shrink: true },
            htmlInput: { maxLength: geoLimits.addressLength },
            input: {
              endAdornment: address.text !== '' && (
                <InputAdornment position="end">
                  <IconButton aria-label={mapStrings.removeAddress} edge="end" onClick={() => address.change('')}>
                    <CloseRounded fontSize="small" />
                  </IconButton>
                </InputAdornment>
              ),
            },
          }}
        />
      )}
    </Box>
  )
}
