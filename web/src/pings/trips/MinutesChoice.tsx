import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { durationText } from '../../ui/format-time.ts'

const few = [5, 10, 20, 30, 45]
const more = [60, 90, 120, 180]

interface Props {
  chosen: number | null
  onChoose: (minutes: number) => void
}

/** The chips with minutes. */
export function MinutesChoice({ chosen, onChoose }: Props) {
  const [areAll, setAreAll] = useState(false)
  return (
    <Box role="group" aria-label={t('trips.sheetTitle')} sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
      {[...few, ...(areAll ? more : [])].map((minutes) => (
        <Button
          key={minutes}
          variant={minutes === chosen ? 'contained' : 'outlined'}
          aria-pressed={minutes === chosen}
          // The button that was pressed is gone.
          autoFocus={minutes === more[0]}
          onClick={() => onChoose(minutes)}
          sx={chipStyle}
        >
          {durationText(minutes)}
        </Button>
      ))}
      {!areAll && (
        <Button variant="outlined" onClick={() => setAreAll(true)} sx={chipStyle}>
          {t('trips.more')}
        </Button>
      )}
    </Box>
  )
}

const chipStyle = { borderRadius: 999, px: 2, minWidth: 0 }
