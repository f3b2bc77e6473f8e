import LocationOffRounded from '@mui/icons-material/LocationOffRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Typography from '@mui/material/Typography'
import { useId } from 'react'
import { t } from '../i18n/translate.ts'
import { Dialog } from '../ui/overlays/Dialog.tsx'
import { hideLocationHint } from './location-hint.ts'

interface Props {
  open: boolean
  /** Why there is no position this time. */
  reason: string | null
  onClose: () => void
}

export function LocationDialog({ open, reason, onClose }: Props) {
  const id = useId()

  function handleDismiss() {
    hideLocationHint()
    onClose()
  }

  return (
    <Dialog open={open} onClose={onClose} maxWidth="xs" aria-labelledby={`${id}-title`}>
      <DialogTitle id={`${id}-title`} sx={{ display: 'flex', alignItems: 'center', gap: 1.5 }}>
        <LocationOffRounded aria-hidden sx={{ color: 'text.secondary' }} />
        {t('home.locationTitle')}
      </DialogTitle>
      <DialogContent>
        <Box sx={{ display: 'grid', gap: 1.5 }}>
          {reason && <Typography sx={{ fontWeight: 600 }}>{reason}</Typography>}
          {([0, 1] as const).map((index) => (
            <Typography key={index} color="textSecondary">
              {t(`home.locationText.${index}`)}
            </Typography>
          ))}
        </Box>
      </DialogContent>
      <DialogActions>
        <Button onClick={handleDismiss}>{t('home.dontShowAgain')}</Button>
        <Button variant="contained" onClick={onClose} autoFocus>
          {t('home.gotIt')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
