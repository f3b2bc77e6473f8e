import type { User } from '@hither/contract/users.ts'
import BoltRounded from '@mui/icons-material/BoltRounded'
import Fab from '@mui/material/Fab'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../i18n/translate.ts'
import type { Position } from '../map/location/geolocation.ts'
import type { Place } from '../map/map-defaults.ts'
import { lazyModule } from '../ui/lazy.tsx'
import { Tooltip } from '../ui/Tooltip.tsx'
import { useSnackbar } from '../ui/use-snackbar.ts'

const loadQuickPin = lazyModule(() => import('../pings/one-tap/quick-pin.ts'))

interface Props {
  owner: User
  /** The distance from the bottom edge of the map, in pixels. */
  bottomPx: number
  rightPx: number
  /** Resolves to null if the position of the device is unknown. */
  findPlace: () => Promise<Position | null>
  onPin: (place: Place) => void
  /** See `dropQuickPin`. */
  onForm: (position: Position) => void
}

/** Drops a pin with the defaults at the user's position with one tap. */
export function QuickPinButton({ owner, bottomPx, rightPx, findPlace, onPin, onForm }: Props) {
  const queryClient = useQueryClient()
  const snackbars = useSnackbar()
  const [isWorking, setIsWorking] = useState(false)

  async function handleClick() {
    if (isWorking) return
    setIsWorking(true)
    try {
      const { dropQuickPin } = await loadQuickPin()
      await dropQuickPin({ owner, queryClient, snackbars, findPlace, onPin, onForm })
    } catch {
      snackbars.showError(t('pings.createFailed'))
    }
    setIsWorking(false)
  }

  return (
    <Tooltip title={t('home.quickPin')} placement="left">
      <Fab
        size="medium"
        aria-label={t('home.quickPin')}
        aria-busy={isWorking}
        onClick={handleClick}
        sx={{
          position: 'absolute',
          zIndex: 2,
          bgcolor: 'background.paper',
          color: isWorking ? 'text.disabled' : 'primary.main',
          '&:hover': { bgcolor: 'background.default' },
          transition: 'bottom 180ms ease-out',
        }}
        style={{ bottom: bottomPx, insetInlineEnd: rightPx }}
      >
        <BoltRounded />
      </Fab>
    </Tooltip>
  )
}
