import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import { type ReactNode, useId } from 'react'
import { t } from '../i18n/translate.ts'
import { LoadingButton } from './LoadingButton.tsx'
import { Dialog } from './overlays/Dialog.tsx'

interface Props {
  open: boolean
  title: string
  text: string
  /** Content below the text. */
  children?: ReactNode
  confirmLabel: string
  confirmColor?: 'error' | 'primary'
  isWorking?: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Asks for confirmation before an action that cannot be undone. */
export function ConfirmDialog({
  open,
  title,
  text,
  children,
  confirmLabel,
  confirmColor = 'error',
  isWorking = false,
  onConfirm,
  onClose,
}: Props) {
  const id = useId()
  return (
    <Dialog
      open={open}
      onClose={onClose}
      maxWidth="xs"
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
    >
      <DialogTitle id={`${id}-title`}>{title}</DialogTitle>
      <DialogContent>
        <DialogContentText id={`${id}-text`}>{text}</DialogContentText>
        {children}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose} autoFocus>
          {t('ui.cancel')}
        </Button>
        <LoadingButton variant="contained" color={confirmColor} isWorking={isWorking} onClick={onConfirm}>
          {confirmLabel}
        </LoadingButton>
      </DialogActions>
    </Dialog>
  )
}
