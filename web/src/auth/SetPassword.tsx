import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import type { Ref } from 'react'
import { useForm } from 'react-hook-form'
import { Link, useNavigate } from 'react-router'
import { isTransient, messageOf } from '../api/api-error.ts'
import { t } from '../i18n/translate.ts'
import { useLoginState } from '../session/login-state.ts'
import { useSession } from '../session/session.ts'
import { ErrorAlert } from '../ui/ErrorAlert.tsx'
import { LoadingButton } from '../ui/LoadingButton.tsx'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { AuthLayout } from './AuthLayout.tsx'
import { checkConfirmation, checkNewPassword } from './account.rules.ts'
import { useResetPassword } from './auth.api.ts'
import { formErrorsOf } from './form-errors.ts'
import { PasswordField } from './PasswordField.tsx'

interface Props {
  /** Empty if the link has none. */
  token: string
  headingRef?: Ref<HTMLHeadingElement>
}

/** Sets a new password with a reset token. */
export function SetPassword({ token, headingRef }: Props) {
  const { signOut } = useSession()
  const navigate = useNavigate()
  const state = useLoginState()
  const { showNotice } = useSnackbar()
  const reset = useResetPassword()
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { password: '', confirmation: '' } })
  const { errors } = formState

  const submit = handleSubmit(async ({ password }) => {
    if (reset.isPending) return
    try {
      await reset.mutateAsync({ token, password })
    } catch (error) {
      // A refused password does not use up the link.
      const { password: message } = formErrorsOf(error, ['password'] as const, t('auth.resetFailed')).fields
      if (message !== undefined) {
        reset.reset()
        setError('password', { message }, { shouldFocus: true })
      }
      return
    }
    // The server has revoked all sessions, so this device signs out at once.
    await signOut()
    showNotice(`${t('auth.resetDone')} ${t('auth.recoveryCodesEnded')}`)
    await navigate('/login', { replace: true, state })
  })

  if (token === '' || (reset.isError && !isTransient(reset.error))) {
    return (
      <AuthLayout heading={t('auth.resetHeading')} {...(headingRef && { headingRef })}>
        <Alert severity="error">
          {token === '' ? t('auth.confirmLinkMissing') : messageOf(reset.error, t('auth.resetFailed'))}
        </Alert>
        <Stack spacing={1.5} sx={{ mt: 3 }}>
          <Button component={Link} to="/forgot-password" variant="contained" size="large">
            {t('auth.askForLink')}
          </Button>
          <Button component={Link} to="/login" size="large">
            {t('auth.goToSignIn')}
          </Button>
        </Stack>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout heading={t('auth.resetHeading')} line={t('auth.resetLine')} {...(headingRef && { headingRef })}>
      <Stack component="form" noValidate spacing={2.5} onSubmit={submit}>
        {reset.isError && <ErrorAlert message={messageOf(reset.error, t('auth.resetFailed'))} />}
        <PasswordField
          label={t('auth.newPassword')}
          autoComplete="new-password"
          helper={t('auth.passwordHelper')}
          registration={register('password', { validate: (value) => checkNewPassword(value), deps: 'confirmation' })}
          error={errors.password?.message}
        />
        <PasswordField
          label={t('auth.confirmPassword')}
          autoComplete="new-password"
          registration={register('confirmation', {
            validate: (value, { password }) => checkConfirmation(value, password),
          })}
          error={errors.confirmation?.message}
        />
        <LoadingButton type="submit" variant="contained" size="large" fullWidth isWorking={reset.isPending}>
          {t('auth.setPassword')}
        </LoadingButton>
      </Stack>
    </AuthLayout>
  )
}
