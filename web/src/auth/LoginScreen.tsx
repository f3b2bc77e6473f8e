import Alert from '@mui/material/Alert'
import Link from '@mui/material/Link'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link as RouterLink, useLocation } from 'react-router'
import { messageOf } from '../api/api-error.ts'
import { clientConfigQuery } from '../api/client-config.ts'
import { isNative } from '../platform/is-native.ts'
import { ServerLine } from '../platform/ServerLine.tsx'
import { FormField } from '../ui/FormField.tsx'
import { LoadingButton } from '../ui/LoadingButton.tsx'
import { late } from '../ui/late.tsx'
import { useForm } from '../ui/use-form.ts'
import { AuthLayout } from './AuthLayout.tsx'
import { GoogleSignIn } from './GoogleSignIn.tsx'
import { PasswordField } from './PasswordField.tsx'
import { useSession } from './session.ts'
import { authStrings } from './strings.ts'

const CheckEmail = late(async () => (await import('./CheckEmail.tsx')).CheckEmail)

interface Fields {
  email: string
  password: string
}

export function LoginScreen() {
  const { error, signIn, clearError } = useSession()
  const { state } = useLocation()
  const canReset = useQuery(clientConfigQuery()).data?.features.password_reset === true
  const [unconfirmed, setUnconfirmed] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const { register, handleSubmit, formState } = useForm({ defaultValues: { email: '', password: '' } })
  const required = { validate: (value: string) => value.trim() !== '' || authStrings.fillInAllFields }

  // What is said here is not repeated on the next screen.
  useEffect(() => clearError, [clearError])

  async function submit({ email, password }: Fields) {
    setFailure(null)
    try {
      await signIn({ email: email.trim(), password })
    } catch (error) {
      const message = messageOf(error, authStrings.loginFailed)
      // The next screen says it; coming back, it is not news.
      clearError()
      if (needsConfirmation(message)) setUnconfirmed(email.trim())
      else setFailure(message)
    }
  }

  if (unconfirmed !== null) return <CheckEmail email={unconfirmed} onSignIn={() => setUnconfirmed(null)} />

  return (
    <AuthLayout heading={authStrings.welcomeBack} line={authStrings.welcomeBackLine}>
      <Stack component="form" noValidate spacing={2.5} onSubmit={handleSubmit(submit)}>
        {/* The session's own: why it ended. */}
        {(failure ?? error) && <Alert severity="error">{failure ?? error}</Alert>}
        <FormField
          label={authStrings.email}
          type="email"
          autoComplete="username"
          registration={register('email', required)}
          error={formState.errors.email?.message}
        />
        <PasswordField
          label={authStrings.password}
          autoComplete="current-password"
          registration={register('password', { validate: (value) => value !== '' || authStrings.fillInAllFields })}
          error={formState.errors.password?.message}
        />
        {canReset && (
          <Link
            component={RouterLink}
            to="/forgot-password"
            state={state}
            sx={{ alignSelf: 'flex-end', fontWeight: 600, py: 1.25, my: '-10px !important' }}
          >
            {authStrings.forgotPassword}
          </Link>
        )}
        <LoadingButton type="submit" variant="contained" size="large" fullWidth isWorking={formState.isSubmitting}>
          {authStrings.signIn}
        </LoadingButton>
        <GoogleSignIn onFailure={setFailure} />
        <Typography sx={{ textAlign: 'center' }} color="textSecondary">
          {authStrings.noAccount}{' '}
          <Link
            component={RouterLink}
            to="/signup"
            state={state}
            sx={{ fontWeight: 700, display: 'inline-block', py: 1.5 }}
          >
            {authStrings.signUp}
          </Link>
        </Typography>
        {isNative() && <ServerLine />}
      </Stack>
    </AuthLayout>
  )
}

/** The rule of the product: the sentence speaks of the e-mail, and of confirming or verifying it. */
function needsConfirmation(message: string): boolean {
  return /e-?mail/i.test(message) && /confirm|verif/i.test(message)
}
