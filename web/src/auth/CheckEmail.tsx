import MarkEmailReadRounded from '@mui/icons-material/MarkEmailReadRounded'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { Link, useLocation } from 'react-router'
import { t } from '../i18n/translate.ts'
import { AuthLayout } from './AuthLayout.tsx'
import { ResendConfirmation } from './ResendConfirmation.tsx'

interface Props {
  email: string
  /**
   * Set after signing up only. At sign-in the email may have been sent long ago, and the form behind sends it again.
   */
  canResend?: boolean
  /**
   * If set, the way back calls this function instead of following a link, because the form behind still has its input.
   */
  onSignIn?: () => void
  onSignUp?: () => void
}

export function CheckEmail({ email, canResend = false, onSignIn, onSignUp }: Props) {
  const { state } = useLocation()
  return (
    <AuthLayout heading={t('auth.checkYourEmail')}>
      <Stack spacing={2} role="status">
        <MarkEmailReadRounded color="primary" sx={{ fontSize: 48 }} />
        <Typography sx={{ overflowWrap: 'anywhere' }}>
          {t('auth.confirmationSentTo')} <strong>{email}</strong>.
        </Typography>
        <Typography color="textSecondary">{t('auth.confirmationSteps')}</Typography>
      </Stack>
      <Stack spacing={1.5} sx={{ mt: 4 }}>
        <Button
          variant="contained"
          size="large"
          {...(onSignIn ? { onClick: onSignIn } : { component: Link, to: '/login', state })}
        >
          {t('auth.goToSignIn')}
        </Button>
        {canResend && <ResendConfirmation email={email} />}
        <Button size="large" {...(onSignUp ? { onClick: onSignUp } : { component: Link, to: '/signup', state })}>
          {t('auth.backToSignUp')}
        </Button>
      </Stack>
    </AuthLayout>
  )
}
