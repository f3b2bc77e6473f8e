import CloseRounded from '@mui/icons-material/CloseRounded'
import SearchRounded from '@mui/icons-material/SearchRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import InputBase from '@mui/material/InputBase'
import { type KeyboardEvent, useRef } from 'react'
import { t } from '../../i18n/translate.ts'
import { pressedKey } from '../../ui/pressed-key.ts'

interface Props {
  label: string
  value: string
  autoFocus?: boolean
  onChange: (value: string) => void
}

export function SearchField({ label, value, autoFocus = false, onChange }: Props) {
  const input = useRef<HTMLInputElement>(null)

  function handleKey(event: KeyboardEvent) {
    if (pressedKey(event) !== 'Escape' || value === '') return
    // Otherwise Escape would also close the dialog around the field.
    event.stopPropagation()
    onChange('')
  }

  return (
    <Box role="search" aria-label={label}>
      <InputBase
        fullWidth
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={handleKey}
        placeholder={label}
        autoFocus={autoFocus}
        inputRef={input}
        inputProps={{
          'aria-label': label,
          dir: 'auto',
          enterKeyHint: 'search',
          autoCapitalize: 'off',
          autoComplete: 'off',
        }}
        startAdornment={<SearchRounded aria-hidden sx={{ marginInlineEnd: 1, color: 'text.secondary' }} />}
        endAdornment={
          value !== '' && (
            <IconButton
              aria-label={t('chat.search.clear')}
              edge="end"
              onClick={() => {
                onChange('')
                input.current?.focus()
              }}
            >
              <CloseRounded fontSize="small" />
            </IconButton>
          )
        }
        sx={{
          height: 44,
          px: 1.5,
          borderRadius: '22px',
          border: 1,
          borderColor: 'divider',
          bgcolor: 'background.default',
          '&.Mui-focused': { borderColor: 'primary.main' },
          '& input::placeholder': { color: 'text.secondary', opacity: 1 },
        }}
      />
    </Box>
  )
}
