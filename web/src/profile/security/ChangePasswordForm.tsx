import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { messageOf } from '../../api/api-error.ts'
import { checkConfirmation, checkNewPassword } from '../../auth/account.rules.ts'
import { formErrorsOf } from '../../auth/form-errors.ts'
import { GoogleProof } from '../../auth/google/GoogleProof.tsx'
import { PasswordField } from '../../auth/PasswordField.tsx'
import { t } from '../../i18n/translate.ts'
import type { IdentityProof } from '../../session/session.ts'
import { ErrorAlert } from '../../ui/ErrorAlert.tsx'
import { LoadingButton } from '../../ui/LoadingButton.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { signInMethodsQuery, useChangePassword } from '../profile.api.ts'
import { useRecentSignIn } from './recent-sign-in/use-recent-sign-in.tsx'

interface Props {
  titleId: string
  hasPassword: boolean
  onChanged: () => void
  onCancel: () => void
}

/** Unmounted when the dialog closes, so that the passwords are discarded. */
export function ChangePasswordForm({ titleId, hasPassword, onChanged, onCancel }: Props) {
  const change = useChangePassword()
  const { showNotice } = useSnackbar()
  const { register, handleSubmit, setError, formState } = useForm({
    defaultValues: { current: '', password: '', confirmation: '' },
  })
  const [proof, setProof] = useState<IdentityProof | null>(null)
  const hasGoogle = useQuery(signInMethodsQuery()).data?.google ?? false
  const { run, question } = useRecentSignIn()
  const { errors } = formState

  const submit = handleSubmit(async ({ current, password }) => {
    if (change.isPending) return
    try {
      const input = { new_password: password, ...(hasPassword ? { current_password: current } : proof) }
      const isChanged = await run(async () => {
        await change.mutateAsync(input)
        return true
      })
      if (!isChanged) return
      showNotice(t('profile.security.passwordChanged'))
      onChanged()
    } catch (error) {
      const { new_password: refused } = formErrorsOf(
        error,
        ['new_password'] as const,
        t('profile.security.passwordFailed'),
      ).fields
      const message = messageOf(error, t('profile.security.passwordFailed'))
      // The server accepts a token for ten minutes only.
      if (refused === undefined) setProof(null)
      if (refused !== undefined) setError('password', { message: refused }, { shouldFocus: true })
      else if (message === t('errors.wrong_password')) setError('current', { message }, { shouldFocus: true })
      else setError('root', { message })
    }
  })

  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: 'contents' }}>
      <DialogTitle id={titleId}>
        {hasPassword ? t('profile.security.changePassword') : t('profile.security.setPassword')}
      </DialogTitle>
      <DialogContent>
        <Typography color="textSecondary" sx={{ mb: 2.5 }}>
          {t('profile.security.changePasswordText')}
        </Typography>
        <Stack spacing={2.5}>
          {errors.root?.message && <ErrorAlert message={errors.root.message} />}
          {!hasPassword && hasGoogle && <GoogleProof isProven={proof !== null} onProof={setProof} />}
          {hasPassword && (
            <PasswordField
              label={t('profile.security.currentPassword')}
              autoComplete="current-password"
              registration={register('current', {
                validate: (value) => value !== '' || t('profile.security.currentRequired'),
              })}
              error={errors.current?.message}
            />
          )}
          <PasswordField
            label={t('profile.security.newPassword')}
            autoComplete="new-password"
            helper={t('profile.security.newPasswordHelper')}
            registration={register('password', {
              validate: (value) => checkNewPassword(value, t('profile.security.required')),
              deps: 'confirmation',
            })}
            error={errors.password?.message}
          />
          <PasswordField
            label={t('profile.security.confirmPassword')}
            autoComplete="new-password"
            registration={register('confirmation', {
              validate: (value, { password }) => checkConfirmation(value, password, t('profile.security.required')),
            })}
            error={errors.confirmation?.message}
          />
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onCancel}>{t('ui.cancel')}</Button>
        <LoadingButton type="submit" variant="contained" isWorking={change.isPending}>
          {t('profile.security.save')}
        </LoadingButton>
      </DialogActions>
      {question}
    </Box>
  )
}
