import Link from '@mui/material/Link'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link as RouterLink } from 'react-router'
import { readAdminCode } from '../admin/admin-code.ts'
import { clientConfigQuery } from '../api/client-config.ts'
import { t } from '../i18n/translate.ts'
import { inviterOf, useLoginState } from '../session/login-state.ts'
import { useSession } from '../session/session.ts'
import { ErrorAlert } from '../ui/ErrorAlert.tsx'
import { FormField } from '../ui/FormField.tsx'
import { LoadingButton } from '../ui/LoadingButton.tsx'
import { AuthLayout } from './AuthLayout.tsx'
import { checkConfirmation, checkEmail, checkNewPassword, checkUsername } from './account.rules.ts'
import { admissionOf } from './admission.ts'
import { CheckEmail } from './CheckEmail.tsx'
import { formErrorsOf } from './form-errors.ts'
import { OtherSignIns } from './OtherSignIns.tsx'
import { PasswordField } from './PasswordField.tsx'
import { SignupClosed } from './SignupClosed.tsx'

const serverFields = ['username', 'email', 'password'] as const

export function SignupScreen() {
  const { signUp, clearError } = useSession()
  const state = useLoginState()
  const admission = admissionOf(state)
  const inviter = inviterOf(state)
  // The operator can change this setting at any time.
  const registration = useQuery({ ...clientConfigQuery(), refetchOnMount: 'always' }).data?.registration ?? 'open'
  const [unconfirmed, setUnconfirmed] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const { register, handleSubmit, setError, formState } = useForm({
    defaultValues: { username: '', email: '', password: '', confirmation: '' },
  })
  const { errors, isSubmitting } = formState

  useEffect(() => clearError, [clearError])

  const submit = handleSubmit(async ({ username, email, password }) => {
    setFailure(null)
    try {
      const account = { username: username.trim(), email: email.trim(), password }
      const result = await signUp({ ...account, ...admission })
      if (result.requiresConfirmation) setUnconfirmed(result.email)
    } catch (error) {
      const { fields, general } = formErrorsOf(error, serverFields, t('auth.signupFailed'))
      setFailure(general)
      const faulty = serverFields.filter((name) => fields[name] !== undefined)
      for (const [index, name] of faulty.entries()) {
        setError(name, { message: fields[name] ?? '' }, { shouldFocus: index === 0 })
      }
    }
  })

  // Going back shows the form with its input, because the component stays mounted.
  if (unconfirmed !== null) return <CheckEmail email={unconfirmed} canResend onSignUp={() => setUnconfirmed(null)} />

  if (registration === 'closed' || (registration === 'invite' && Object.keys(admission).length === 0))
    return <SignupClosed isInvited={registration === 'invite'} />

  return (
    <AuthLayout heading={t('auth.joinHither')} line={lineFor(inviter)}>
      <Stack component="form" noValidate spacing={2.5} onSubmit={submit}>
        {failure && <ErrorAlert message={failure} />}
        <FormField
          label={t('auth.username')}
          // Password managers must store the email address, because it is used to sign in.
          autoComplete="nickname"
          slotProps={{ htmlInput: { autoCapitalize: 'none', spellCheck: false } }}
          registration={register('username', { validate: (value) => checkUsername(value) })}
          error={errors.username?.message}
          helper={t('auth.usernameInvalid')}
        />
        <FormField
          label={t('auth.email')}
          type="email"
          autoComplete="email"
          registration={register('email', { validate: checkEmail })}
          error={errors.email?.message}
        />
        <PasswordField
          label={t('auth.password')}
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
        <LoadingButton type="submit" variant="contained" size="large" fullWidth isWorking={isSubmitting}>
          {t('auth.signUp')}
        </LoadingButton>
        <OtherSignIns onFailure={setFailure} />
        <Typography variant="body2" color="textSecondary" sx={{ textAlign: 'center' }}>
          {t('auth.age')}
        </Typography>
        <Typography sx={{ textAlign: 'center' }} color="textSecondary">
          {t('auth.haveAccount')}{' '}
          <Link
            component={RouterLink}
            to="/login"
            state={state}
            sx={{ fontWeight: 700, display: 'inline-block', py: 1.5 }}
          >
            {t('auth.signIn')}
          </Link>
        </Typography>
      </Stack>
    </AuthLayout>
  )
}

function lineFor(inviter: string | undefined): string {
  if (inviter !== undefined) return t('auth.invitedBy', { name: inviter })
  return readAdminCode() === null ? t('auth.joinLine') : t('auth.joinAsAdmin')
}
