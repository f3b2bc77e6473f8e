import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import { useId } from 'react'
import { t } from '../../i18n/translate.ts'
import { Dialog } from '../../ui/overlays/Dialog.tsx'

interface Props {
  open: boolean
  onTurnOff: () => void
  onShare: () => void
  onClose: () => void
}

/** Asks before a private place is shared with everyone who has the public link. */
export function PublicLinkQuestion({ open, onTurnOff, onShare, onClose }: Props) {
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
      <DialogTitle id={`${id}-title`}>{t('pings.savedPlace.linkTitle')}</DialogTitle>
      <DialogContent>
        <DialogContentText id={`${id}-text`}>{t('pings.savedPlace.linkText')}</DialogContentText>
      </DialogContent>
      <DialogActions sx={{ flexWrap: 'wrap' }}>
        <Button color="error" onClick={onShare}>
          {t('pings.savedPlace.shareAnyway')}
        </Button>
        <Button variant="contained" autoFocus onClick={onTurnOff}>
          {t('pings.savedPlace.turnOffLink')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
