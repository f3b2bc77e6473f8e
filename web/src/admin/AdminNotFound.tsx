import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { Link } from 'react-router'
import { t } from '../i18n/translate.ts'
import { Column } from '../ui/Column.tsx'
import { useTitle } from '../ui/use-title.ts'

export function AdminNotFound() {
  useTitle(t('admin.notFound'))
  return (
    <Column>
      <Box sx={{ display: 'grid', justifyItems: 'center', textAlign: 'center', gap: 2, py: 6 }}>
        <Typography variant="h2" component="h1">
          {t('admin.notFound')}
        </Typography>
        <Typography color="textSecondary">{t('admin.notFoundText')}</Typography>
        <Button variant="contained" component={Link} to="/">
          {t('admin.goHome')}
        </Button>
      </Box>
    </Column>
  )
}
