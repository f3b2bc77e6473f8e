import Typography from '@mui/material/Typography'
import { t } from '../../i18n/translate.ts'

/** Shown in place of the composer. */
export function FriendsOnly() {
  return (
    <Typography
      color="textSecondary"
      sx={{ p: 2, textAlign: 'center', bgcolor: 'background.paper', borderTop: 1, borderColor: 'divider' }}
    >
      {t('errors.not_messageable')}
    </Typography>
  )
}
