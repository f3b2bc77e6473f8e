import type { User } from '@hither/contract/users.ts'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import { useForm } from 'react-hook-form'
import { formErrorsOf } from '../auth/form-errors.ts'
import { t } from '../i18n/translate.ts'
import { FormField } from '../ui/FormField.tsx'
import { LoadingButton } from '../ui/LoadingButton.tsx'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { checkDisplayName } from './display-name.rules.ts'
import { useUpdateProfile } from './profile.api.ts'

/** Changes the display name. An empty field removes it. */
export function DisplayNameForm({ user, onDone }: { user: User; onDone: () => void }) {
  const update = useUpdateProfile(user)
  const { showNotice } = useSnackbar()
  const { register, handleSubmit, setError, formState } = useForm({
    defaultValues: { display_name: user.display_name ?? '' },
  })

  const submit = handleSubmit(async (values) => {
    const display_name = values.display_name.trim() || null
    if (display_name === user.display_name) return onDone()
    try {
      await update.mutateAsync({ display_name })
      showNotice(t('profile.updated'))
      onDone()
    } catch (error) {
      const { display_name: message } = formErrorsOf(error, ['display_name'], t('profile.updateFailed')).fields
      setError('display_name', { message: message ?? t('profile.updateFailed') }, { shouldFocus: true })
    }
  })

  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ p: 2 }}>
      <FormField
        label={t('profile.displayName')}
        autoComplete="name"
        autoFocus
        slotProps={{ htmlInput: { dir: 'auto' } }}
        registration={register('display_name', { validate: checkDisplayName })}
        error={formState.errors.display_name?.message}
        helper={t('profile.displayNameHelper')}
      />
      <Stack direction="row" spacing={1} sx={{ mt: 2, justifyContent: 'flex-end' }}>
        <Button onClick={onDone}>{t('profile.cancel')}</Button>
        <LoadingButton type="submit" variant="contained" isWorking={formState.isSubmitting}>
          {t('profile.save')}
        </LoadingButton>
      </Stack>
    </Box>
  )
}
