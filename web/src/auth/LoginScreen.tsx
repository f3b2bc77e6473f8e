import Link from '@mui/material/Link'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link as RouterLink } from 'react-router'
import { isRefusal } from '../api/api-error.ts'
import { t } from '../i18n/translate.ts'
import { isNative } from '../platform/is-native.ts'
import { useLoginState } from '../session/login-state.ts'
import { useSession } from '../session/session.ts'
import { ErrorAlert } from '../ui/ErrorAlert.tsx'
import { FormField } from '../ui/FormField.tsx'
import { LoadingButton } from '../ui/LoadingButton.tsx'
import { lazyComponent } from '../ui/lazy.tsx'
import { AuthLayout } from './AuthLayout.tsx'
import { OtherSignIns } from './OtherSignIns.tsx'
import { signInMessageOf } from './offline.ts'
import { PasswordField } from './PasswordField.tsx'
import { useProviderError } from './provider/use-provider-error.ts'
import { ServerLine } from './ServerLine.tsx'

const CheckEmail = lazyComponent(async () => (await import('./CheckEmail.tsx')).CheckEmail)

interface Fields {
  email: string
  password: string
}

export function LoginScreen() {
  const { error, signIn, clearError } = useSession()
  const state = useLoginState()
  const [unconfirmed, setUnconfirmed] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const { register, handleSubmit, formState } = useForm({ defaultValues: { email: '', password: '' } })
  const required = { validate: (value: string) => value.trim() !== '' || t('auth.fillInAllFields') }

  useProviderError(setFailure)
  // The error is not shown again on the next screen.
  useEffect(() => clearError, [clearError])

  async function submit({ email, password }: Fields) {
    setFailure(null)
    try {
      await signIn({ email: email.trim(), password })
    } catch (error) {
      const message = signInMessageOf(error, t('auth.loginFailed'))
      // The next screen shows the error, so it is not repeated when the user comes back.
      clearError()
      if (isRefusal(error, 'email_unconfirmed') || needsConfirmation(message)) setUnconfirmed(email.trim())
      else setFailure(message)
    }
  }

  if (unconfirmed !== null) return <CheckEmail email={unconfirmed} onSignIn={() => setUnconfirmed(null)} />

  return (
    <AuthLayout heading={t('auth.welcomeBack')} line={t('auth.welcomeBackLine')}>
      <Stack component="form" noValidate spacing={2.5} onSubmit={handleSubmit(submit)}>
        {/* The error of the session is the reason why it ended. */}
        {(failure ?? error) && <ErrorAlert message={failure ?? error ?? ''} />}
        <FormField
          label={t('auth.email')}
          type="email"
          autoComplete="username webauthn"
          registration={register('email', required)}
          error={formState.errors.email?.message}
        />
        <PasswordField
          label={t('auth.password')}
          autoComplete="current-password"
          registration={register('password', { validate: (value) => value !== '' || t('auth.fillInAllFields') })}
          error={formState.errors.password?.message}
        />
        <Link
          component={RouterLink}
          to="/forgot-password"
          state={state}
          sx={{ alignSelf: 'flex-end', fontWeight: 600, py: 1.25, my: '-10px !important' }}
        >
          {t('auth.forgotPassword')}
        </Link>
        <LoadingButton type="submit" variant="contained" size="large" fullWidth isWorking={formState.isSubmitting}>
          {t('auth.signIn')}
        </LoadingButton>
        <OtherSignIns hasPasskeys onFailure={setFailure} />
        <Typography sx={{ textAlign: 'center' }} color="textSecondary">
          {t('auth.noAccount')}{' '}
          <Link
            component={RouterLink}
            to="/signup"
            state={state}
            sx={{ fontWeight: 700, display: 'inline-block', py: 1.5 }}
          >
            {t('auth.signUp')}
          </Link>
        </Typography>
        {isNative() && <ServerLine />}
      </Stack>
    </AuthLayout>
  )
}

/** Whether an English text of the server asks to confirm the address. The code tells it for other languages. */
function needsConfirmation(message: string): boolean {
  return /e-?mail/i.test(message) && /confirm|verif/i.test(message)
}
