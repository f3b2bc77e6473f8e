import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { Link as RouterLink } from 'react-router'
import { serverOrigin } from '../api/base-address.ts'
import { t } from '../i18n/translate.ts'

/** Shows the server of the packaged app, with a link to change it. */
export function ServerLine() {
  return (
    <Typography variant="body2" color="textSecondary" sx={{ textAlign: 'center', overflowWrap: 'anywhere' }}>
      {t('platform.currentServer')} {new URL(serverOrigin()).host}{' '}
      <Link component={RouterLink} to="/server" sx={{ fontWeight: 700, display: 'inline-block', py: 1.5 }}>
        {t('platform.changeServer')}
      </Link>
    </Typography>
  )
}
