import type { FoundPlace } from '@hither/contract/geo.ts'
import { geoLimits } from '@hither/contract/runtime/geo.ts'
import SearchRounded from '@mui/icons-material/SearchRounded'
import Autocomplete from '@mui/material/Autocomplete'
import Box from '@mui/material/Box'
import InputAdornment from '@mui/material/InputAdornment'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { pressedKey } from '../../ui/pressed-key.ts'
import { TextField } from '../../ui/TextField.tsx'
import { coordinatesIn, plainCoordinates } from '../location/coordinates.ts'
import type { Place } from '../map-defaults.ts'
import { placesQuery } from './geo.api.ts'
import { useDebouncedValue } from './use-debounced-value.ts'

interface Props {
  label?: string
  /** Ranks the results. Sent to the server rounded to 0.1 degrees. */
  near?: Place | null
  autoFocus?: boolean
  onFound: (place: FoundPlace) => void
  onEscape?: () => void
  /** Content at the end of the field. */
  end?: ReactNode
}

const typingMs = 250

/** Searches for a place by name, address or coordinates. Coordinates are parsed without a request. */
export function PlaceSearch({
  label = t('map.search'),
  near = null,
  autoFocus = false,
  onFound,
  onEscape,
  end,
}: Props) {
  const [text, setText] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  const coordinates = coordinatesIn(text)
  const asked = useDebouncedValue(coordinates === null ? text : '', typingMs)
  const places = useQuery(placesQuery(asked, near))
  const isAsking = coordinates === null && text.trim().length >= 2
  const isWaiting = isAsking && (asked !== text || places.isFetching)
  const options = optionsOf()

  function optionsOf(): readonly FoundPlace[] {
    if (coordinates !== null) {
      return [{ name: plainCoordinates(coordinates), address: t('map.coordinates'), ...coordinates }]
    }
    return isAsking && !places.isError ? (places.data ?? []) : []
  }

  function handleChange(found: FoundPlace | null) {
    if (found === null) return
    setIsOpen(false)
    onFound(found)
  }

  return (
    <>
      <Autocomplete<FoundPlace, false, false, false>
        fullWidth
        options={options}
        // The server has already filtered the results, also by other spellings.
        filterOptions={(all) => all}
        getOptionLabel={({ name }) => name}
        getOptionKey={({ name, latitude, longitude }) => `${name} ${latitude} ${longitude}`}
        isOptionEqualToValue={(a, b) => a.latitude === b.latitude && a.longitude === b.longitude}
        autoHighlight
        open={isOpen && text.trim().length >= 2}
        onOpen={() => setIsOpen(true)}
        onClose={(_, reason) => {
          setIsOpen(false)
          if (reason === 'escape') onEscape?.()
        }}
        inputValue={text}
        onInputChange={(_, value) => setText(value)}
        onChange={(_, found) => handleChange(found)}
        loading={isWaiting}
        loadingText={t('map.searching')}
        noOptionsText={places.isError ? t('map.searchFailed') : t('map.noPlaces')}
        forcePopupIcon={false}
        onKeyDown={(event) => {
          const key = pressedKey(event)
          if (key === 'Escape' && !isOpen) onEscape?.()
          if (key !== 'Enter' || !isWaiting) return
          // The results are still those of the previous text, and a form around the field must not be sent.
          event.defaultMuiPrevented = true
          event.preventDefault()
        }}
        slotProps={{ listbox: { sx: { opacity: isWaiting ? 0.6 : 1 } } }}
        renderInput={(params) => (
          <TextField
            {...params}
            label={label}
            placeholder={t('map.searchPlaceholder')}
            autoFocus={autoFocus}
            sx={{ '& input': { textOverflow: 'ellipsis' } }}
            slotProps={{
              ...params.slotProps,
              htmlInput: {
                ...params.slotProps.htmlInput,
                maxLength: geoLimits.queryLength,
                enterKeyHint: 'search',
                autoCapitalize: 'off',
                spellCheck: false,
              },
              input: {
                ...params.slotProps.input,
                startAdornment: (
                  <InputAdornment position="start">
                    <SearchRounded aria-hidden />
                  </InputAdornment>
                ),
                ...(end !== undefined && { endAdornment: end }),
              },
            }}
          />
        )}
        renderOption={({ key, ...props }, { name, address }) => (
          <Box component="li" key={key} {...props}>
            <Box sx={{ minWidth: 0 }}>
              <Typography noWrap sx={{ fontWeight: 600 }}>
                {name}
              </Typography>
              {address !== '' && (
                <Typography noWrap variant="body2" color="textSecondary">
                  {address}
                </Typography>
              )}
            </Box>
          </Box>
        )}
      />
      <Box role="status" sx={visuallyHidden}>
        {isOpen && isAsking && !isWaiting && said()}
      </Box>
    </>
  )

  function said(): string {
    if (places.isError) return t('map.searchFailed')
    return options.length === 0 ? t('map.noPlaces') : t('map.results', { count: options.length })
  }
}

const visuallyHidden = {
  position: 'absolute',
  width: 1,
  height: 1,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
} as const
