import AddRounded from '@mui/icons-material/AddRounded'
import MyLocationRounded from '@mui/icons-material/MyLocationRounded'
import Fab from '@mui/material/Fab'
import { MapTool } from '../map/MapTool.tsx'
import { homeStrings } from './strings.ts'

interface Props {
  /** From the lower edge of the map. */
  bottomPx: number
  isLocating: boolean
  onRecenter: () => void
  onAdd: () => void
}

export const addButtonPx = 60

/** What floats over the map: recenter in the upper corner, the add button under the thumb. */
export function MapButtons({ bottomPx, isLocating, onRecenter, onAdd }: Props) {
  return (
    <>
      <MapTool row={0} label={homeStrings.recenter} isBusy={isLocating} onClick={onRecenter}>
        <MyLocationRounded />
      </MapTool>
      <Fab
        color="primary"
        aria-label={homeStrings.addPin}
        onClick={onAdd}
        sx={{
          position: 'absolute',
          right: 16,
          zIndex: 2,
          width: addButtonPx,
          height: addButtonPx,
          transition: 'bottom 180ms ease-out',
        }}
        style={{ bottom: bottomPx }}
      >
        <AddRounded sx={{ fontSize: 30 }} />
      </Fab>
    </>
  )
}
