import DirectionsBikeRounded from '@mui/icons-material/DirectionsBikeRounded'
import DirectionsCarRounded from '@mui/icons-material/DirectionsCarRounded'
import DirectionsWalkRounded from '@mui/icons-material/DirectionsWalkRounded'
import MyLocationRounded from '@mui/icons-material/MyLocationRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useEffect, useRef, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { requestPosition } from '../../map/location/geolocation.ts'
import type { Place } from '../../map/map-defaults.ts'
import { estimate, type TravelMode } from '../../trips/estimates.rules.ts'
import { lastTravelMode, storeTravelMode } from '../../trips/travel-mode.ts'
import { ErrorAlert } from '../../ui/ErrorAlert.tsx'

const modes = [
  { mode: 'walk', Icon: DirectionsWalkRounded },
  { mode: 'bike', Icon: DirectionsBikeRounded },
  { mode: 'drive', Icon: DirectionsCarRounded },
] as const

const problemTexts = { imprecise: t('trips.imprecise'), 'too far': t('trips.tooFar') } as const

interface Props {
  pin: Place
  onEstimate: (minutes: number, mode: TravelMode) => void
}

/** Estimates the minutes by the position of the device, which does not leave it. */
export function LocationChoice({ pin, onEstimate }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [locatingFor, setLocatingFor] = useState<TravelMode | null>(null)
  const lastRequest = useRef(0)
  const [preselected] = useState(lastTravelMode)
  useEffect(() => () => void lastRequest.current++, [])

  async function handleChoose(mode: TravelMode) {
    storeTravelMode(mode)
    setProblem(null)
    setLocatingFor(mode)
    const request = ++lastRequest.current
    const isCurrent = () => request === lastRequest.current
    try {
      const found = estimate(await requestPosition(), pin, mode)
      if (!isCurrent()) return
      if ('problem' in found) setProblem(problemTexts[found.problem])
      else onEstimate(found.minutes, mode)
    } catch (error) {
      if (isCurrent()) setProblem(error instanceof Error ? error.message : t('map.location.failed'))
    }
    if (isCurrent()) setLocatingFor(null)
  }

  if (!isOpen) {
    return (
      <Button
        variant="text"
        startIcon={<MyLocationRounded />}
        onClick={() => setIsOpen(true)}
        sx={{ marginInlineStart: -1 }}
      >
        {t('trips.useLocation')}
      </Button>
    )
  }
  return (
    <Box role="group" aria-label={t('trips.useLocation')} sx={{ display: 'grid', gap: 1 }}>
      <Typography component="h3" variant="subtitle1">
        {t('trips.useLocation')}
      </Typography>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        {modes.map(({ mode, Icon }) => (
          <Button
            key={mode}
            variant={mode === (locatingFor ?? preselected) ? 'contained' : 'outlined'}
            autoFocus={mode === (preselected ?? modes[0].mode)}
            startIcon={<Icon />}
            onClick={() => void handleChoose(mode)}
            sx={{ flex: '1 1 0' }}
          >
            {t(`trips.modes.${mode}`)}
          </Button>
        ))}
      </Box>
      <Typography role="status" variant="body2" color="textSecondary">
        {locatingFor && t('map.location.locating')}
      </Typography>
      {problem && <ErrorAlert message={problem} />}
    </Box>
  )
}
