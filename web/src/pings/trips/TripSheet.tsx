import type { Ping } from '@hither/contract/pings.ts'
import type { User } from '@hither/contract/users.ts'
import CloseRounded from '@mui/icons-material/CloseRounded'
import Box from '@mui/material/Box'
import DialogTitle from '@mui/material/DialogTitle'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { serverNow } from '../../api/server-time.ts'
import { t } from '../../i18n/translate.ts'
import type { TravelMode } from '../../trips/estimates.rules.ts'
import { endEstimateOf } from '../../trips/estimation/estimation.ts'
import { tripViewerNames } from '../../trips/sharing.rules.ts'
import { audienceText, endWarning } from '../../trips/trip-texts.rules.ts'
import { BottomSheet } from '../../ui/BottomSheet.tsx'
import { isExact } from '../place/place.rules.ts'
import { LocationChoice } from './LocationChoice.tsx'
import { MinutesChoice } from './MinutesChoice.tsx'
import { useShareTrip } from './trips.mutations.ts'

interface Props {
  open: boolean
  ping: Ping
  viewer: User
  onClose: () => void
}

/** Asks when the viewer arrives, and shares it with one tap. */
export function TripSheet({ open, ping, viewer, onClose }: Props) {
  return (
    <BottomSheet open={open} onClose={onClose}>
      <DialogTitle sx={{ display: 'flex', alignItems: 'center', paddingInlineEnd: 1.5 }}>
        <Box component="span" sx={{ flex: 1 }}>
          {t('trips.sheetTitle')}
        </Box>
        <IconButton aria-label={t('ui.close')} onClick={onClose}>
          <CloseRounded />
        </IconButton>
      </DialogTitle>
      <TripChoice ping={ping} viewer={viewer} onClose={onClose} />
    </BottomSheet>
  )
}

/** Unmounted with the sheet: a position that is found later is not used. */
function TripChoice({ ping, viewer, onClose }: Omit<Props, 'open'>) {
  const { mutate } = useShareTrip(viewer)
  const [chosenCount, setChosenCount] = useState(0)
  const [shared, setShared] = useState<{ minutes: number; warning: string } | null>(null)

  /** The sheet stays open if it has something to say about the minutes. They are shared in any case. */
  function share(minutes: number, mode?: TravelMode) {
    const warning = endWarning(ping.expires_at, minutes, serverNow())
    if (warning === null || shared?.minutes === minutes) onClose()
    else setShared({ minutes, warning })
    mutate({ pingId: ping.id, minutes, mode })
  }

  /** Minutes that the viewer chooses end the estimate of this trip, also without a network: it would replace them. */
  function handleMinutes(minutes: number) {
    setChosenCount(chosenCount + 1)
    void endEstimateOf(viewer.id, ping.id)
    share(minutes)
  }

  return (
    <Box sx={{ px: 3, pt: 1, pb: 3, display: 'grid', gap: 2, overflowY: 'auto' }}>
      <MinutesChoice chosen={shared?.minutes ?? null} onChoose={handleMinutes} />
      {/* Always rendered, so that screen readers announce it. */}
      <Typography role="status" sx={{ fontWeight: 600, color: 'warning.main', '&:empty': { display: 'none' } }}>
        {shared?.warning}
      </Typography>
      {/* Chosen minutes end a search for the position. */}
      {isExact(ping) && <LocationChoice key={chosenCount} pin={ping} onEstimate={share} />}
      <Box sx={{ typography: 'body2', color: 'text.secondary', overflowWrap: 'anywhere' }}>
        <Typography variant="body2" sx={{ fontWeight: 600, color: 'text.primary' }}>
          {audienceText(tripViewerNames(ping, viewer.id))}
        </Typography>
        {t('trips.minutesOnly')}
      </Box>
    </Box>
  )
}
