import ContrastRounded from '@mui/icons-material/ContrastRounded'
import DarkModeRounded from '@mui/icons-material/DarkModeRounded'
import LightModeRounded from '@mui/icons-material/LightModeRounded'
import Box from '@mui/material/Box'
import { useColorScheme } from '@mui/material/styles'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import Typography from '@mui/material/Typography'
import { useId } from 'react'
import { t } from '../i18n/translate.ts'

const modes = [
  { mode: 'system', label: t('profile.system'), Icon: ContrastRounded },
  { mode: 'light', label: t('profile.light'), Icon: LightModeRounded },
  { mode: 'dark', label: t('profile.dark'), Icon: DarkModeRounded },
] as const

export function AppearanceChoice() {
  const id = useId()
  const { mode, setMode } = useColorScheme()
  return (
    <Box sx={{ px: 2, py: 2 }}>
      <Typography id={id} sx={{ fontWeight: 600, mb: 1.5 }}>
        {t('profile.appearance')}
      </Typography>
      <ToggleButtonGroup
        exclusive
        fullWidth
        value={mode ?? 'system'}
        // Clicking the current choice would deselect it.
        onChange={(_event, chosen: 'system' | 'light' | 'dark' | null) => chosen && setMode(chosen)}
        aria-labelledby={id}
      >
        {modes.map(({ mode, label, Icon }) => (
          <ToggleButton
            key={mode}
            value={mode}
            sx={{ gap: 1, minHeight: 48, px: 1, textTransform: 'none', fontWeight: 700 }}
          >
            <Icon fontSize="small" />
            {label}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </Box>
  )
}
