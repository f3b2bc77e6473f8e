import MarkEmailReadRounded from '@mui/icons-material/MarkEmailReadRounded'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link } from 'react-router'
import { messageOf } from '../api/api-error.ts'
import { clientConfigQuery } from '../api/client-config.ts'
import { t } from '../i18n/translate.ts'
import { useLoginState } from '../session/login-state.ts'
import { ErrorAlert } from '../ui/ErrorAlert.tsx'
import { FormField } from '../ui/FormField.tsx'
import { LoadingButton } from '../ui/LoadingButton.tsx'
import { AuthLayout } from './AuthLayout.tsx'
import { checkEmail } from './account.rules.ts'
import { useForgotPassword } from './auth.api.ts'
import { RecoveryCodeForm } from './recovery/RecoveryCodeForm.tsx'
import { SetPassword } from './SetPassword.tsx'

export function ForgotPasswordScreen() {
  // A direct visit shows the email form until it is known that this server sends no email.
  const sendsMail = useQuery(clientConfigQuery()).data?.features.password_reset !== false
  const [email, setEmail] = useState('')
  const [isUsingCode, setIsUsingCode] = useState(false)
  const [token, setToken] = useState<string | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)

  // The field that had the focus is gone, and the new heading shows that the code was right.
  useEffect(() => {
    if (token !== null) heading.current?.focus()
  }, [token])

  if (token !== null) return <SetPassword token={token} headingRef={heading} />
  if (!sendsMail) return <RecoveryCodeForm email={email} onToken={setToken} />

  function handleSwitch(typed: string) {
    setEmail(typed)
    setIsUsingCode(!isUsingCode)
  }
  if (isUsingCode) return <RecoveryCodeForm email={email} onToken={setToken} onUseEmail={handleSwitch} />
  return <EmailForm email={email} onUseCode={handleSwitch} />
}

function EmailForm({ email, onUseCode }: { email: string; onUseCode: (email: string) => void }) {
  const state = useLoginState()
  const request = useForgotPassword()
  const { register, handleSubmit, formState, getValues } = useForm({ defaultValues: { email } })
  const submit = handleSubmit(({ email }) => {
    if (!request.isPending) request.mutate(email.trim())
  })
  const back = (
    <Button component={Link} to="/login" state={state} size="large">
      {t('auth.backToSignIn')}
    </Button>
  )

  if (request.isSuccess) {
    return (
      <AuthLayout heading={t('auth.checkYourEmail')}>
        <Stack spacing={2} role="status" sx={{ mb: 4 }}>
          <MarkEmailReadRounded color="primary" sx={{ fontSize: 48 }} />
          {/* It must not reveal whether the account exists. */}
          <Typography>{t('auth.resetSent')}</Typography>
          <Typography color="textSecondary">{t('auth.linkSteps')}</Typography>
        </Stack>
        <Stack>{back}</Stack>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout heading={t('auth.forgotHeading')} line={t('auth.forgotLine')}>
      <Stack component="form" noValidate spacing={2.5} onSubmit={submit}>
        {request.isError && <ErrorAlert message={messageOf(request.error, t('auth.forgotFailed'))} />}
        <FormField
          label={t('auth.email')}
          type="email"
          autoComplete="username"
          registration={register('email', { validate: checkEmail })}
          error={formState.errors.email?.message}
        />
        <LoadingButton type="submit" variant="contained" size="large" fullWidth isWorking={request.isPending}>
          {t('auth.sendLink')}
        </LoadingButton>
        <Button size="large" onClick={() => onUseCode(getValues('email'))}>
          {t('auth.recovery.useCode')}
        </Button>
        {back}
      </Stack>
    </AuthLayout>
  )
}
