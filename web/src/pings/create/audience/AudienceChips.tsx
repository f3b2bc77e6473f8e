import type { Circle } from '@hither/contract/circles.ts'
import Box from '@mui/material/Box'
import FormControl from '@mui/material/FormControl'
import FormHelperText from '@mui/material/FormHelperText'
import { CircleChips } from '../../../circles/CircleChips.tsx'
import { ToggleChip } from '../../../circles/ToggleChip.tsx'
import { t } from '../../../i18n/translate.ts'
import { type ChosenAudience, withAllFriends, withCircle, withSelectedFriends } from './audience.rules.ts'

interface Props {
  circles: readonly Circle[]
  value: ChosenAudience
  error: string | undefined
  onChange: (value: ChosenAudience) => void
}

/** Who sees the pin: all friends, or circles and selected friends in any combination. */
export function AudienceChips({ circles, value, error, onChange }: Props) {
  return (
    <FormControl
      component="fieldset"
      error={error !== undefined}
      data-invalid={error !== undefined}
      sx={{ m: 0, minWidth: 0 }}
    >
      <Box component="legend" sx={{ p: 0, mb: 1, typography: 'subtitle1', fontSize: '0.875rem' }}>
        {t('pings.create.who')}
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        <ToggleChip isPressed={value.audience === 'all'} onClick={() => onChange(withAllFriends(value))}>
          {t('pings.create.allFriends')}
        </ToggleChip>
        <CircleChips
          circles={circles}
          chosen={value.circleIds}
          onToggle={({ id }) => onChange(withCircle(value, id))}
        />
        <ToggleChip isPressed={value.audience === 'selected'} onClick={() => onChange(withSelectedFriends(value))}>
          {t('pings.create.selectedFriends')}
        </ToggleChip>
      </Box>
      {error !== undefined && <FormHelperText sx={{ mx: 0 }}>{error}</FormHelperText>}
    </FormControl>
  )
}
