import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import { Link as RouterLink } from 'react-router'
import { t } from '../i18n/translate.ts'
import { useLoginState } from '../session/login-state.ts'
import { AuthLayout } from './AuthLayout.tsx'

interface Props {
  /** Whether the server accepts sign-ups with an invitation link. */
  isInvited: boolean
}

/** Shown in place of the sign-up form if the server accepts no sign-ups. */
export function SignupClosed({ isInvited }: Props) {
  const state = useLoginState()
  return (
    <AuthLayout heading={t('auth.joinHither')} line={t('auth.joinLine')}>
      <Stack spacing={2.5}>
        <Alert severity="info">{isInvited ? t('errors.invitation_required') : t('errors.registration_closed')}</Alert>
        <Button component={RouterLink} to="/login" state={state} variant="contained" size="large" fullWidth>
          {t('auth.goToSignIn')}
        </Button>
      </Stack>
    </AuthLayout>
  )
}
