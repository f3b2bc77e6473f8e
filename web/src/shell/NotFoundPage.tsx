import Button from '@mui/material/Button'
import { Link } from 'react-router'
import { t } from '../i18n/translate.ts'
import { ErrorPage } from './ErrorPage.tsx'

/** Shown in place of a screen at an unknown address. */
export function NotFoundPage() {
  return (
    <ErrorPage heading={t('shell.routerError')} message={t('shell.notFound')}>
      <Button component={Link} to="/" variant="contained">
        {t('shell.goHome')}
      </Button>
      <Button onClick={() => location.reload()}>{t('shell.reload')}</Button>
    </ErrorPage>
  )
}
