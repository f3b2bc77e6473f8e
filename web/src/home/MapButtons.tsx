import AddRounded from '@mui/icons-material/AddRounded'
import MyLocationRounded from '@mui/icons-material/MyLocationRounded'
import Fab from '@mui/material/Fab'
import { t } from '../i18n/translate.ts'
import { MapTool } from '../map/engine/MapTool.tsx'
import { addButtonPx } from './button-positions.ts'

interface Props {
  /** The distance from the bottom and the right edge of the map, in pixels. */
  bottomPx: number
  rightPx: number
  isLocating: boolean
  onRecenter: () => void
  onAdd: () => void
}

/** The buttons over the map: recenter in the upper corner, add at the bottom right. */
export function MapButtons({ bottomPx, rightPx, isLocating, onRecenter, onAdd }: Props) {
  return (
    <>
      <MapTool row={0} label={t('home.recenter')} isBusy={isLocating} onClick={onRecenter}>
        <MyLocationRounded />
      </MapTool>
      <Fab
        color="primary"
        aria-label={t('home.addPin')}
        onClick={onAdd}
        sx={{
          position: 'absolute',
          zIndex: 2,
          width: addButtonPx,
          height: addButtonPx,
          transition: 'bottom 180ms ease-out',
        }}
        style={{ bottom: bottomPx, insetInlineEnd: rightPx }}
      >
        <AddRounded sx={{ fontSize: 30 }} />
      </Fab>
    </>
  )
}
