import Typography from '@mui/material/Typography'
import { t } from '../i18n/translate.ts'

const line = { content: '""', flex: 1, borderTop: '1px solid', borderColor: 'divider' }

/** Separates the other ways to sign in from the form. */
export function OrLine() {
  return (
    <Typography
      variant="body2"
      color="textSecondary"
      sx={{ display: 'flex', alignItems: 'center', gap: 1.5, '&::before': line, '&::after': line }}
    >
      {t('auth.otherSignIn.or')}
    </Typography>
  )
}
