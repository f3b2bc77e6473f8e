import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { type ReactNode, useId } from 'react'
import { t } from '../../i18n/translate.ts'
import { Dialog } from '../../ui/overlays/Dialog.tsx'

interface Props {
  open: boolean
  title: ReactNode
  children: ReactNode
  maxWidth?: 'xs' | 'sm'
  onClose: () => void
}

/** A dialog with text. */
export function InfoDialog({ open, title, children, maxWidth = 'xs', onClose }: Props) {
  const id = useId()
  return (
    <Dialog open={open} onClose={onClose} maxWidth={maxWidth} fullWidth aria-labelledby={id}>
      <DialogTitle id={id} sx={{ display: 'flex', alignItems: 'center', gap: 1.5 }}>
        {title}
      </DialogTitle>
      {/* Focusable, so that the content can be scrolled by keyboard. */}
      <DialogContent tabIndex={0}>{children}</DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('profile.close')}</Button>
      </DialogActions>
    </Dialog>
  )
}
