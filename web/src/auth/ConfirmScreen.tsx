import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useCallback, useEffect, useRef, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { isPassing, messageOf } from '../api/api-error.ts'
import { AuthLayout } from './AuthLayout.tsx'
import { confirmEmail, useSession } from './session.ts'
import { authStrings } from './strings.ts'

/** Where the link of the confirmation mail leads: signs in and goes on, or says why it cannot. */
export function ConfirmScreen() {
  const token = useSearchParams()[0].get('token') ?? ''
  const { clearError } = useSession()
  const navigate = useNavigate()
  const [failure, setFailure] = useState<unknown>(null)
  const tried = useRef<string | null>(null)

  const confirm = useCallback(async () => {
    setFailure(null)
    try {
      await confirmEmail(token)
      void navigate('/', { replace: true })
    } catch (error) {
      clearError()
      setFailure(error)
    }
  }, [token, navigate, clearError])

  useEffect(() => {
    // The token is good for one time, and effects may run twice.
    if (token === '' || tried.current === token) return
    tried.current = token
    void confirm()
  }, [token, confirm])

  if (token !== '' && failure === null) {
    return (
      <AuthLayout heading={authStrings.confirmHeading}>
        <Stack direction="row" spacing={2} role="status" sx={{ alignItems: 'center' }}>
          <CircularProgress size={28} aria-hidden />
          <Typography>{authStrings.confirming}</Typography>
        </Stack>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout heading={authStrings.confirmHeading}>
      <Alert severity="error">
        {token === '' ? authStrings.confirmLinkMissing : messageOf(failure, authStrings.confirmFailed)}
      </Alert>
      <Stack spacing={1.5} sx={{ mt: 3 }}>
        {isPassing(failure) && (
          <Button variant="outlined" size="large" onClick={() => void confirm()}>
            {authStrings.tryAgain}
          </Button>
        )}
        <Button component={Link} to="/login" variant="contained" size="large">
          {authStrings.goToSignIn}
        </Button>
        <Button component={Link} to="/signup" size="large">
          {authStrings.backToSignUp}
        </Button>
      </Stack>
    </AuthLayout>
  )
}
