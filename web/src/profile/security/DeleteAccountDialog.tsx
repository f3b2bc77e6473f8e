import { useId } from 'react'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { DeleteAccountForm } from './DeleteAccountForm.tsx'

interface Props {
  open: boolean
  hasPassword: boolean
  onClose: () => void
}

export function DeleteAccountDialog({ open, hasPassword, onClose }: Props) {
  const id = useId()
  return (
    <Dialog
      open={open}
      onClose={onClose}
      maxWidth="xs"
      fullWidth
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
    >
      <DeleteAccountForm id={id} hasPassword={hasPassword} onClose={onClose} />
    </Dialog>
  )
}
