import type { ReactNode } from 'react'
import { Dialog } from './overlays/Dialog.tsx'

interface Props {
  open: boolean
  /** The accessible name of a sheet without a `DialogTitle`. */
  label?: string
  /** The id of the element with the accessible name, if that is not a `DialogTitle`. */
  labelledBy?: string
  /** For a sheet that scrolls, and is not to fill the screen. */
  maxHeightPx?: number
  children: ReactNode
  onClose: () => void
  onExited?: () => void
}

/** On a phone a sheet at the bottom of the screen, otherwise a dialog. */
export function BottomSheet({ open, label, labelledBy, maxHeightPx, children, onClose, onExited }: Props) {
  const lowerThan = (height: string) => (maxHeightPx === undefined ? height : `min(${maxHeightPx}px, ${height})`)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      maxWidth="xs"
      fullWidth
      {...(labelledBy !== undefined && { 'aria-labelledby': labelledBy })}
      slotProps={{ paper: { 'aria-label': label }, transition: { onExited: () => onExited?.() } }}
      sx={{
        '& .MuiDialog-container': { alignItems: { xs: 'flex-end', sm: 'center' } },
        '& .MuiDialog-paper': {
          m: { xs: 0, sm: 4 },
          width: { xs: '100%' },
          maxWidth: { xs: '100%', sm: 444 },
          maxHeight: { xs: lowerThan('calc(100% - 24px - var(--sat))'), sm: lowerThan('calc(100% - 64px)') },
          borderRadius: { xs: '28px 28px 0 0', sm: '28px' },
          pb: { xs: 'var(--sab)', sm: 0 },
        },
      }}
    >
      {children}
    </Dialog>
  )
}
