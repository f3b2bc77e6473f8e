import Typography from '@mui/material/Typography'
import { t } from '../../i18n/translate.ts'
import { useIsOffline } from './use-is-offline.ts'

/** Why the buttons are disabled. Always rendered, so that screen readers announce it. */
export function OfflineNote({ id }: { id?: string }) {
  const isOffline = useIsOffline()
  return (
    <Typography id={id} role="status" variant="body2" color="textSecondary" sx={{ fontWeight: 600 }}>
      {isOffline && t('pings.edit.offline')}
    </Typography>
  )
}
