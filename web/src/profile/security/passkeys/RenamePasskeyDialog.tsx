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
import { FormField } from '../../../ui/FormField.tsx'
import { LoadingButton } from '../../../ui/LoadingButton.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { uiStrings } from '../../../ui/strings.ts'
import { useSnackbar } from '../../../ui/use-snackbar.ts'
import { signInStrings as strings } from '../sign-in-strings.ts'
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
      showNotice(strings.renamed)
      onClose()
    } catch (error) {
      setError('name', { message: signInMessageOf(error, strings.failed) }, { shouldFocus: true })
    }
  })

  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: 'contents' }}>
      <DialogTitle id={titleId}>{strings.renameTitle}</DialogTitle>
      <DialogContent>
        <Box sx={{ pt: 1 }}>
          <FormField
            label={strings.name}
            autoFocus
            autoComplete="off"
            slotProps={{ htmlInput: { maxLength: passkeyLimits.nameMax } }}
            registration={register('name', { validate: (value) => value.trim() !== '' || strings.nameRequired })}
            error={formState.errors.name?.message}
          />
        </Box>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{uiStrings.cancel}</Button>
        <LoadingButton type="submit" variant="contained" isWorking={renaming.isPending}>
          {strings.save}
        </LoadingButton>
      </DialogActions>
    </Box>
  )
}
