import Alert from '@mui/material/Alert'
import AlertTitle from '@mui/material/AlertTitle'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { Link, useLocation } from 'react-router'
import { pingStrings } from './strings.ts'

/** For visitors: what signing in would open to them. It returns here. */
export function LoginInvitation({ canStillRespond }: { canStillRespond: boolean }) {
  const { pathname } = useLocation()
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      <Alert severity="info">
        <AlertTitle>{pingStrings.loginToUnlock}</AlertTitle>
        {pingStrings.loginReasons}
      </Alert>
      {canStillRespond && (
        <Button component={Link} to="/login" state={{ from: pathname }} variant="contained" size="large">
          {pingStrings.loginToRespond}
        </Button>
      )}
    </Box>
  )
}
