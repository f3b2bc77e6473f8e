import AddRounded from '@mui/icons-material/AddRounded'
import MyLocationRounded from '@mui/icons-material/MyLocationRounded'
import Fab from '@mui/material/Fab'
import { MapTool } from '../map/MapTool.tsx'
import { addButtonPx } from './button-places.ts'
import { homeStrings } from './strings.ts'

interface Props {
  /** From the lower edge of the map, and from the right one. */
  bottomPx: number
  rightPx: number
  isLocating: boolean
  onRecenter: () => void
  onAdd: () => void
}

/** What floats over the map: recenter in the upper corner, the add button under the thumb. */
export function MapButtons({ bottomPx, rightPx, isLocating, onRecenter, onAdd }: Props) {
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
          zIndex: 2,
          width: addButtonPx,
          height: addButtonPx,
          transition: 'bottom 180ms ease-out',
        }}
        style={{ bottom: bottomPx, right: rightPx }}
      >
        <AddRounded sx={{ fontSize: 30 }} />
      </Fab>
    </>
  )
}
