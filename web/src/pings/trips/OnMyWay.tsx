import type { Ping } from '@hither/contract/pings.ts'
import type { User } from '@hither/contract/users.ts'
import NearMeRounded from '@mui/icons-material/NearMeRounded'
import Button from '@mui/material/Button'
import { useState } from 'react'
import { useServerTime } from '../../api/server-time.ts'
import { t } from '../../i18n/translate.ts'
import { canShareTrip } from '../../trips/sharing.rules.ts'
import { lazyComponent } from '../../ui/lazy.tsx'

const TripSheet = lazyComponent(async () => (await import('./TripSheet.tsx')).TripSheet)

interface Props {
  ping: Ping
  viewer: User
}

/** The button that opens the sheet, while the viewer may share an arrival time. */
export function OnMyWay({ ping, viewer }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const canShare = useServerTime(1000, (nowMs) => canShareTrip(ping, viewer.id, nowMs))
  if (!canShare) return null
  return (
    <>
      <Button
        variant="outlined"
        fullWidth
        startIcon={<NearMeRounded />}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        {t('trips.onMyWay')}
      </Button>
      <TripSheet open={isOpen} ping={ping} viewer={viewer} onClose={() => setIsOpen(false)} />
    </>
  )
}
