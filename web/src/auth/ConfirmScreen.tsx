import Button from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { Link } from 'react-router'
import { isTransient, messageOf } from '../api/api-error.ts'
import { t } from '../i18n/translate.ts'
import { ErrorAlert } from '../ui/ErrorAlert.tsx'
import { AuthLayout } from './AuthLayout.tsx'
import { usePendingConfirmation } from './auth.api.ts'
import { ConfirmForm } from './ConfirmForm.tsx'
import { useLinkToken } from './link-token.ts'

/**
 * The target of the link in the confirmation email. Opening it changes nothing: anyone can send such a link to anyone,
 * so the screen shows the account and waits for a click on its button.
 */
export function ConfirmScreen() {
  const token = useLinkToken()
  const { state, retry } = usePendingConfirmation(token)
  if (token === '') return <ConfirmFailure message={t('auth.confirmLinkMissing')} />
  switch (state.status) {
    case 'loading':
      return (
        <AuthLayout heading={t('auth.confirmHeading')}>
          <Stack direction="row" spacing={2} role="status" sx={{ alignItems: 'center' }}>
            <CircularProgress size={28} aria-hidden />
            <Typography>{t('auth.openingLink')}</Typography>
          </Stack>
        </AuthLayout>
      )
    case 'failed':
      return (
        <ConfirmFailure
          message={messageOf(state.error, t('auth.confirmFailed'))}
          {...(isTransient(state.error) && { onRetry: retry })}
        />
      )
    case 'ready':
      return (
        <AuthLayout heading={t('auth.confirmHeading')}>
          <ConfirmForm token={token} pending={state.pending} />
        </AuthLayout>
      )
  }
}

function ConfirmFailure({ message, onRetry }: { message: string; onRetry?: () => void }) {
  return (
    <AuthLayout heading={t('auth.confirmHeading')}>
      <ErrorAlert message={message} />
      <Stack spacing={1.5} sx={{ mt: 3 }}>
        {onRetry && (
          <Button variant="outlined" size="large" onClick={onRetry}>
            {t('auth.tryAgain')}
          </Button>
        )}
        <Button component={Link} to="/login" variant="contained" size="large">
          {t('auth.goToSignIn')}
        </Button>
        <Button component={Link} to="/signup" size="large">
          {t('auth.backToSignUp')}
        </Button>
      </Stack>
    </AuthLayout>
  )
}
