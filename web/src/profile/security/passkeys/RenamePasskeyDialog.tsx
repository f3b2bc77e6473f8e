import type { Passkey } from '@hither/contract/auth/passkeys.ts'
import { passkeyLimits } from '@hither/contract/runtime/auth/passkeys.ts'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { signInMessageOf } from '../../../auth/offline.ts'
import { t } from '../../../i18n/translate.ts'
import { FormField } from '../../../ui/FormField.tsx'
import { LoadingButton } from '../../../ui/LoadingButton.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { useSnackbar } from '../../../ui/use-snackbar.ts'
import { useRenamePasskey } from './passkeys.api.ts'

interface Props {
  open: boolean
  passkey: Passkey
  onClose: () => void
}

export function RenamePasskeyDialog({ open, onClose, ...props }: Props) {
  const titleId = useId()
  return (
    <Dialog open={open} onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={titleId}>
      <RenameForm titleId={titleId} onClose={onClose} {...props} />
    </Dialog>
  )
}

function RenameForm({ titleId, passkey, onClose }: Omit<Props, 'open'> & { titleId: string }) {
  const renaming = useRenamePasskey()
  const { showNotice } = useSnackbar()
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { name: passkey.name } })

  const submit = handleSubmit(async ({ name }) => {
    if (renaming.isPending) return
    try {
      await renaming.mutateAsync({ id: passkey.id, name: name.trim() })
      showNotice(t('profile.signIn.renamed'))
      onClose()
    } catch (error) {
      setError('name', { message: signInMessageOf(error, t('profile.signIn.failed')) }, { shouldFocus: true })
    }
  })

  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: 'contents' }}>
      <DialogTitle id={titleId}>{t('profile.signIn.renameTitle')}</DialogTitle>
      <DialogContent>
        <Box sx={{ pt: 1 }}>
          <FormField
            label={t('profile.signIn.name')}
            autoFocus
            autoComplete="off"
            slotProps={{ htmlInput: { maxLength: passkeyLimits.nameMax } }}
            registration={register('name', {
              validate: (value) => value.trim() !== '' || t('profile.signIn.nameRequired'),
            })}
            error={formState.errors.name?.message}
          />
        </Box>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('ui.cancel')}</Button>
        <LoadingButton type="submit" variant="contained" isWorking={renaming.isPending}>
          {t('profile.signIn.save')}
        </LoadingButton>
      </DialogActions>
    </Box>
  )
}
