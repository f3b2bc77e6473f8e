import type { PendingConfirmation } from '@hither/contract/auth/auth.ts'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link, useNavigate } from 'react-router'
import { isRefusal, messageOf } from '../api/api-error.ts'
import { t } from '../i18n/translate.ts'
import { confirmEmail, useSession } from '../session/session.ts'
import { ErrorAlert } from '../ui/ErrorAlert.tsx'
import { LoadingButton } from '../ui/LoadingButton.tsx'
import { PasswordField } from './PasswordField.tsx'

interface Props {
  token: string
  pending: PendingConfirmation
}

/**
 * Shows the account of a confirmation link, asks for its password if this browser did not sign up, and confirms the
 * address.
 */
export function ConfirmForm({ token, pending: { email, username, needs_password } }: Props) {
  const { user, clearError } = useSession()
  const navigate = useNavigate()
  // The user when the screen opened, because confirming signs in as another user.
  const [current] = useState(user)
  const [asksPassword, setAsksPassword] = useState(needs_password)
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { password: '' } })
  const { errors, isSubmitting } = formState

  const submit = handleSubmit(async ({ password }) => {
    try {
      await confirmEmail(token, asksPassword ? password : undefined)
      void navigate('/', { replace: true })
    } catch (error) {
      clearError()
      const message = messageOf(error, t('auth.confirmFailed'))
      const isUnproven = isRefusal(error, 'signup_unproven')
      if (isUnproven) setAsksPassword(true)
      setError(isUnproven && asksPassword ? 'password' : 'root', { message }, { shouldFocus: true })
    }
  })

  return (
    <Stack component="form" noValidate spacing={2.5} onSubmit={submit}>
      <Box>
        <Typography color="textSecondary">{t('auth.confirmLine')}</Typography>
        <Box
          sx={{ mt: 1.5, px: 2, py: 1.5, borderRadius: 1, border: 1, borderColor: 'divider', overflowWrap: 'anywhere' }}
        >
          <Typography sx={{ fontWeight: 700 }}>{username}</Typography>
          <Typography color="textSecondary">{email}</Typography>
        </Box>
        <Typography variant="body2" color="textSecondary" sx={{ mt: 1.5 }}>
          {t('auth.confirmNotYours')}
        </Typography>
      </Box>
      {current && <Alert severity="warning">{t('auth.confirmReplaces', { current: current.username })}</Alert>}
      {errors.root?.message && <ErrorAlert message={errors.root.message} />}
      {/* Password managers need the account name of the password. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      {asksPassword && (
        <PasswordField
          label={t('auth.password')}
          autoComplete="current-password"
          helper={t('auth.confirmPasswordHelper')}
          registration={register('password', { validate: (value) => value !== '' || t('auth.fillInAllFields') })}
          error={errors.password?.message}
        />
      )}
      <LoadingButton type="submit" variant="contained" size="large" fullWidth isWorking={isSubmitting}>
        {current ? t('auth.confirmAndReplace', { current: current.username }) : t('auth.confirmButton')}
      </LoadingButton>
      {current && (
        <Button component={Link} to="/" size="large">
          {t('auth.staySignedIn', { current: current.username })}
        </Button>
      )}
    </Stack>
  )
}
