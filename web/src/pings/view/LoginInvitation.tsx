import Alert from '@mui/material/Alert'
import AlertTitle from '@mui/material/AlertTitle'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { Link, useLocation } from 'react-router'
import { t } from '../../i18n/translate.ts'
import { useLoginState } from '../../session/login-state.ts'

interface Props {
  reasons?: string
  /** What is above the link to the sign-in, and whether that is the main way to respond. Null if nobody can respond. */
  login: { text: string; isMain: boolean } | null
}

/** Explains to visitors what they can do after signing in. The sign-in returns to the ping. */
export function LoginInvitation({ reasons = t('pings.loginReasons'), login }: Props) {
  const state = useLoginState({ from: useLocation().pathname })
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      <Alert severity="info">
        <AlertTitle>{t('pings.loginToUnlock')}</AlertTitle>
        {reasons}
      </Alert>
      {login !== null && (
        <>
          <Typography color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
            {login.text}
          </Typography>
          <Button
            component={Link}
            to="/login"
            state={state}
            variant={login.isMain ? 'contained' : 'outlined'}
            size="large"
          >
            {t('pings.loginToRespond')}
          </Button>
        </>
      )}
    </Box>
  )
}
