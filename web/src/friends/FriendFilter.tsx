import SearchRounded from '@mui/icons-material/SearchRounded'
import InputAdornment from '@mui/material/InputAdornment'
import { TextField } from '../ui/TextField.tsx'
import { friendStrings } from './strings.ts'

/** Filters the friends by name. */
export function FriendFilter({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <TextField
      size="small"
      fullWidth
      value={value}
      onChange={(event) => onChange(event.target.value)}
      placeholder={friendStrings.filter}
      sx={{ mb: 2 }}
      slotProps={{
        htmlInput: { 'aria-label': friendStrings.filter, type: 'search', autoComplete: 'off', dir: 'auto' },
        input: {
          startAdornment: (
            <InputAdornment position="start">
              <SearchRounded fontSize="small" />
            </InputAdornment>
          ),
        },
      }}
    />
  )
}
