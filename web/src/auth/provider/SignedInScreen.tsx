import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import Stack from '@mui/material/Stack'
import { visuallyHidden } from '@mui/utils'
import { Link } from 'react-router'
import { t } from '../../i18n/translate.ts'
import { useSession } from '../../session/session.ts'
import { ErrorAlert } from '../../ui/ErrorAlert.tsx'
import { AuthLayout } from '../AuthLayout.tsx'
import { useProviderReturn } from './use-provider-return.ts'

/** The page to which a provider leads back. Opening it changes nothing unless this device has started the sign-in. */
export function SignedInScreen() {
  const { isAuthenticated } = useSession()
  const { isLink, failure, retry } = useProviderReturn()
  const working = isLink ? t('auth.provider.linking') : t('auth.provider.signingIn')
  const failed = isLink ? t('auth.provider.linkFailedHeading') : t('auth.provider.failedHeading')
  return (
    <AuthLayout heading={failure === null ? working : failed}>
      {/* Always rendered, so that screen readers announce its text when it changes. */}
      <Box role="status">
        {failure === null && (
          <>
            <CircularProgress size={28} aria-hidden />
            <span style={visuallyHidden}>{working}</span>
          </>
        )}
      </Box>
      {failure !== null && (
        <>
          <ErrorAlert message={failure.message} />
          <Stack spacing={1.5} sx={{ mt: 3 }}>
            {failure.canRetry && (
              <Button variant="outlined" size="large" onClick={retry}>
                {t('auth.provider.tryAgain')}
              </Button>
            )}
            <Button
              component={Link}
              to={isAuthenticated ? '/profile' : '/login'}
              replace
              variant="contained"
              size="large"
            >
              {isAuthenticated ? t('auth.provider.goToProfile') : t('auth.provider.goToSignIn')}
            </Button>
          </Stack>
        </>
      )}
    </AuthLayout>
  )
}
