import { refusals } from '@hither/contract/refusals.ts'
import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import { Link as RouterLink, useLocation } from 'react-router'
import { AuthLayout } from './AuthLayout.tsx'
import { authStrings } from './strings.ts'

interface Props {
  /** Whether the server takes those who come with a link. */
  isInvited: boolean
}

/** Where the form would be for nothing. */
export function NoSignup({ isInvited }: Props) {
  const { state } = useLocation()
  return (
    <AuthLayout heading={authStrings.joinHither} line={authStrings.joinLine}>
      <Stack spacing={2.5}>
        <Alert severity="info">{refusals[isInvited ? 'invitation_required' : 'registration_closed'].detail}</Alert>
        <Button component={RouterLink} to="/login" state={state} variant="contained" size="large" fullWidth>
          {authStrings.goToSignIn}
        </Button>
      </Stack>
    </AuthLayout>
  )
}
