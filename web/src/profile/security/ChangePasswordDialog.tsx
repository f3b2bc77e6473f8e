import { useId } from 'react'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { ChangePasswordForm } from './ChangePasswordForm.tsx'

interface Props {
  open: boolean
  hasPassword: boolean
  onClose: () => void
}

export function ChangePasswordDialog({ open, hasPassword, onClose }: Props) {
  const id = useId()
  return (
    <Dialog open={open} onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={id}>
      <ChangePasswordForm titleId={id} hasPassword={hasPassword} onDone={onClose} />
    </Dialog>
  )
}
