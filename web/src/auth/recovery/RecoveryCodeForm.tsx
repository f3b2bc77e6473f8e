import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useForm } from 'react-hook-form'
import { Link } from 'react-router'
import { t } from '../../i18n/translate.ts'
import { useLoginState } from '../../session/login-state.ts'
import { ErrorAlert } from '../../ui/ErrorAlert.tsx'
import { FormField } from '../../ui/FormField.tsx'
import { LoadingButton } from '../../ui/LoadingButton.tsx'
import { AuthLayout } from '../AuthLayout.tsx'
import { checkEmail } from '../account.rules.ts'
import { useRecover } from '../auth.api.ts'
import { signInMessageOf } from '../offline.ts'
import { checkRecoveryCode, normalizeRecoveryCode } from './recovery-code.rules.ts'

interface Props {
  email: string
  onToken: (token: string) => void
  /** Set on a server that sends reset links by email. */
  onUseEmail?: (email: string) => void
}

/** Asks for a recovery code, which gives a reset token. */
export function RecoveryCodeForm({ email, onToken, onUseEmail }: Props) {
  const state = useLoginState()
  const recovery = useRecover()
  const { register, handleSubmit, formState, getValues } = useForm({ defaultValues: { email, code: '' } })
  const { errors } = formState

  const submit = handleSubmit(async (typed) => {
    if (recovery.isPending) return
    const input = { email: typed.email.trim(), code: normalizeRecoveryCode(typed.code) }
    // The error of the mutation is shown.
    const granted = await recovery.mutateAsync(input).catch(() => null)
    if (granted !== null) onToken(granted.reset_token)
  })

  return (
    <AuthLayout heading={t('auth.forgotHeading')} line={t('auth.recovery.line')}>
      <Stack component="form" noValidate spacing={2.5} onSubmit={submit}>
        {recovery.isError && <ErrorAlert message={signInMessageOf(recovery.error, t('auth.recovery.failed'))} />}
        <FormField
          label={t('auth.email')}
          type="email"
          autoComplete="username"
          registration={register('email', { validate: checkEmail })}
          error={errors.email?.message}
        />
        <FormField
          label={t('auth.recovery.code')}
          autoComplete="off"
          slotProps={{ htmlInput: { autoCapitalize: 'characters', spellCheck: false, maxLength: 40 } }}
          registration={register('code', {
            validate: (value) => checkRecoveryCode(value, t('auth.fillInAllFields')),
          })}
          error={errors.code?.message}
        />
        <LoadingButton type="submit" variant="contained" size="large" fullWidth isWorking={recovery.isPending}>
          {t('auth.recovery.continue')}
        </LoadingButton>
        {onUseEmail ? (
          <Button size="large" onClick={() => onUseEmail(getValues('email'))}>
            {t('auth.recovery.useEmail')}
          </Button>
        ) : (
          <Typography variant="body2" color="textSecondary" sx={{ textAlign: 'center' }}>
            {t('auth.recovery.noCode')}
          </Typography>
        )}
        <Button component={Link} to="/login" state={state} size="large">
          {t('auth.backToSignIn')}
        </Button>
      </Stack>
    </AuthLayout>
  )
}
