import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useId, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { lazyComponent } from '../../ui/lazy.tsx'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { ChangePasswordForm } from './ChangePasswordForm.tsx'

const RemainingSignIns = lazyComponent(async () => (await import('./remaining/RemainingSignIns.tsx')).RemainingSignIns)

interface Props {
  open: boolean
  hasPassword: boolean
  onClose: () => void
}

export function ChangePasswordDialog({ open, hasPassword, onClose }: Props) {
  const id = useId()
  return (
    <Dialog open={open} onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={id}>
      <Steps titleId={id} hasPassword={hasPassword} onClose={onClose} />
    </Dialog>
  )
}

/** The form, and then what else can sign in. Unmounted when the dialog closes. */
function Steps({ titleId, hasPassword, onClose }: Omit<Props, 'open'> & { titleId: string }) {
  const [isChanged, setIsChanged] = useState(false)
  if (!isChanged)
    return (
      <ChangePasswordForm
        titleId={titleId}
        hasPassword={hasPassword}
        onChanged={() => setIsChanged(true)}
        onCancel={onClose}
      />
    )
  return (
    <>
      <DialogTitle id={titleId}>{t('profile.signIn.stillTitle')}</DialogTitle>
      <DialogContent>
        <RemainingSignIns />
      </DialogContent>
      <DialogActions>
        <Button variant="contained" autoFocus onClick={onClose}>
          {t('profile.signIn.done')}
        </Button>
      </DialogActions>
    </>
  )
}
