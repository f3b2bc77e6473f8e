import Box from '@mui/material/Box'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import Typography from '@mui/material/Typography'
import { useId, useState } from 'react'
import { t } from '../i18n/translate.ts'
import { chooseUnit, chosenUnit, type DistanceUnit } from '../map/location/distance-unit.ts'

const choices = [
  { value: 'automatic', label: t('profile.distances.automatic') },
  { value: 'kilometers', label: t('profile.distances.kilometers') },
  { value: 'miles', label: t('profile.distances.miles') },
] as const

/** The unit of distances, which is a choice of the device. */
export function DistanceChoice() {
  const id = useId()
  const [unit, setUnit] = useState(chosenUnit)

  function choose(value: 'automatic' | DistanceUnit) {
    const chosen = value === 'automatic' ? null : value
    chooseUnit(chosen)
    setUnit(chosen)
  }

  return (
    <Box sx={{ px: 2, py: 2 }}>
      <Typography id={id} sx={{ fontWeight: 600, mb: 1.5 }}>
        {t('profile.distances.title')}
      </Typography>
      <ToggleButtonGroup
        exclusive
        fullWidth
        value={unit ?? 'automatic'}
        // Clicking the current choice would deselect it.
        onChange={(_event, chosen: 'automatic' | DistanceUnit | null) => chosen && choose(chosen)}
        aria-labelledby={id}
      >
        {choices.map(({ value, label }) => (
          <ToggleButton key={value} value={value} sx={{ minHeight: 48, px: 1, textTransform: 'none', fontWeight: 700 }}>
            {label}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </Box>
  )
}
