import type { User } from '@hither/contract/users.ts'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import { useForm } from 'react-hook-form'
import { checkUsername } from '../auth/account.rules.ts'
import { formErrorsOf } from '../auth/form-errors.ts'
import { t } from '../i18n/translate.ts'
import { FormField } from '../ui/FormField.tsx'
import { LoadingButton } from '../ui/LoadingButton.tsx'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { useUpdateProfile } from './profile.api.ts'

export function UsernameForm({ user, onDone }: { user: User; onDone: () => void }) {
  const update = useUpdateProfile(user)
  const { showNotice } = useSnackbar()
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { username: user.username } })

  const submit = handleSubmit(async ({ username }) => {
    if (username.trim() === user.username) return onDone()
    try {
      await update.mutateAsync({ username: username.trim() })
      showNotice(t('profile.updated'))
      onDone()
    } catch (error) {
      const { username: errorText } = formErrorsOf(error, ['username'], t('profile.updateFailed')).fields
      setError('username', { message: errorText ?? t('profile.updateFailed') }, { shouldFocus: true })
    }
  })

  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ p: 2 }}>
      <FormField
        label={t('profile.username')}
        autoComplete="username"
        autoFocus
        slotProps={{ htmlInput: { autoCapitalize: 'none', spellCheck: false } }}
        registration={register('username', { validate: (value) => checkUsername(value, t('profile.required')) })}
        error={formState.errors.username?.message}
        helper={t('auth.usernameInvalid')}
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
