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
import type { IdentityProof } from '../../session/session.ts'
import { ErrorAlert } from '../../ui/ErrorAlert.tsx'
import { LoadingButton } from '../../ui/LoadingButton.tsx'
import { uiStrings } from '../../ui/strings.ts'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { signInMethodsQuery, useChangePassword } from '../profile.api.ts'
import { useRecentSignIn } from './recent-sign-in/use-recent-sign-in.tsx'
import { securityStrings as strings } from './security-strings.ts'

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
      showNotice(strings.passwordChanged)
      onChanged()
    } catch (error) {
      const { new_password: refused } = formErrorsOf(error, ['new_password'] as const, strings.passwordFailed).fields
      const message = messageOf(error, strings.passwordFailed)
      // The server accepts a token for ten minutes only.
      if (refused === undefined) setProof(null)
      if (refused !== undefined) setError('password', { message: refused }, { shouldFocus: true })
      else if (message === strings.wrongPassword) setError('current', { message }, { shouldFocus: true })
      else setError('root', { message })
    }
  })

  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: 'contents' }}>
      <DialogTitle id={titleId}>{hasPassword ? strings.changePassword : strings.setPassword}</DialogTitle>
      <DialogContent>
        <Typography color="textSecondary" sx={{ mb: 2.5 }}>
          {strings.changePasswordText}
        </Typography>
        <Stack spacing={2.5}>
          {errors.root?.message && <ErrorAlert message={errors.root.message} />}
          {!hasPassword && hasGoogle && <GoogleProof isProven={proof !== null} onProof={setProof} />}
          {hasPassword && (
            <PasswordField
              label={strings.currentPassword}
              autoComplete="current-password"
              registration={register('current', { validate: (value) => value !== '' || strings.currentRequired })}
              error={errors.current?.message}
            />
          )}
          <PasswordField
            label={strings.newPassword}
            autoComplete="new-password"
            helper={strings.newPasswordHelper}
            registration={register('password', {
              validate: (value) => checkNewPassword(value, strings.required),
              deps: 'confirmation',
            })}
            error={errors.password?.message}
          />
          <PasswordField
            label={strings.confirmPassword}
            autoComplete="new-password"
            registration={register('confirmation', {
              validate: (value, { password }) => checkConfirmation(value, password, strings.required),
            })}
            error={errors.confirmation?.message}
          />
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onCancel}>{uiStrings.cancel}</Button>
        <LoadingButton type="submit" variant="contained" isWorking={change.isPending}>
          {strings.save}
        </LoadingButton>
      </DialogActions>
      {question}
    </Box>
  )
}
