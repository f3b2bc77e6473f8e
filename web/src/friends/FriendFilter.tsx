import SearchRounded from '@mui/icons-material/SearchRounded'
import InputAdornment from '@mui/material/InputAdornment'
import { t } from '../i18n/translate.ts'
import { TextField } from '../ui/TextField.tsx'

/** Filters the friends by name. */
export function FriendFilter({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <TextField
      size="small"
      fullWidth
      value={value}
      onChange={(event) => onChange(event.target.value)}
      placeholder={t('friends.filter')}
      sx={{ mb: 2 }}
      slotProps={{
        htmlInput: { 'aria-label': t('friends.filter'), type: 'search', autoComplete: 'off', dir: 'auto' },
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
