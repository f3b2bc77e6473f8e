import { type User } from '@hither/contract/users.ts'
import BoltRounded from '@mui/icons-material/BoltRounded'
import Fab from '@mui/material/Fab'
import { useState } from 'react'
import { type Place } from '../map/map-defaults.ts'
import { useQuickPing } from '../pings/use-quick-ping.ts'
import { Tooltip } from '../ui/Tooltip.tsx'
import { homeStrings } from './strings.ts'

interface Props {
  owner: User
  /** From the lower edge of the map. */
  bottomPx: number
  rightPx: number
  /** Null where the device does not say. */
  findPlace: () => Promise<Place | null>
  onPin: (place: Place) => void
}

/** One tap: here, now, with the defaults. */
export function QuickPinButton({ owner, bottomPx, rightPx, findPlace, onPin }: Props) {
  const pinQuickly = useQuickPing(owner)
  const [isWorking, setIsWorking] = useState(false)

  async function handleClick() {
    if (isWorking) return
    setIsWorking(true)
    const place = await findPlace()
    if (place !== null) {
      onPin(place)
      await pinQuickly(place)
    }
    setIsWorking(false)
  }

  return (
    <Tooltip title={homeStrings.quickPin} placement="left">
      <Fab
        size="medium"
        aria-label={homeStrings.quickPin}
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
        style={{ bottom: bottomPx, right: rightPx }}
      >
        <BoltRounded />
      </Fab>
    </Tooltip>
  )
}
