import AddRounded from '@mui/icons-material/AddRounded'
import MyLocationRounded from '@mui/icons-material/MyLocationRounded'
import Fab from '@mui/material/Fab'
import Tooltip from '@mui/material/Tooltip'
import { homeStrings } from './strings.ts'

interface Props {
  /** From the lower edge of the map. */
  bottomPx: number
  isLocating: boolean
  onRecenter: () => void
  onAdd: () => void
}

/** What floats over the map: recenter in the upper corner, the add button under the thumb. */
export function MapButtons({ bottomPx, isLocating, onRecenter, onAdd }: Props) {
  return (
    <>
      <Tooltip title={homeStrings.recenter} placement="left">
        <Fab
          size="medium"
          aria-label={homeStrings.recenter}
          aria-busy={isLocating}
          onClick={onRecenter}
          sx={{
            position: 'absolute',
            top: 12,
            right: 12,
            zIndex: 2,
            bgcolor: 'background.paper',
            color: 'text.primary',
            '&:hover': { bgcolor: 'background.default' },
          }}
        >
          <MyLocationRounded />
        </Fab>
      </Tooltip>
      <Fab
        color="primary"
        aria-label={homeStrings.addPin}
        onClick={onAdd}
        sx={{ position: 'absolute', right: 16, zIndex: 2, width: 60, height: 60, transition: 'bottom 180ms ease-out' }}
        style={{ bottom: bottomPx }}
      >
        <AddRounded sx={{ fontSize: 30 }} />
      </Fab>
    </>
  )
}
