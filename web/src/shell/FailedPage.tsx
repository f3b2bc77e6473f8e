import Button from '@mui/material/Button'
import { t } from '../i18n/translate.ts'
import { ErrorPage } from './ErrorPage.tsx'

/** Shown in place of what could not be rendered. */
export function FailedPage({ heading, error }: { heading: string; error: unknown }) {
  const details = error instanceof Error && error.message !== '' ? { details: error.message } : {}
  return (
    <ErrorPage heading={heading} message={t('shell.boundaryText')} {...details}>
      <Button variant="contained" onClick={() => location.reload()}>
        {t('shell.reload')}
      </Button>
      {/* Not a link of the router: the failed state must end. */}
      <Button href="/">{t('shell.goHome')}</Button>
    </ErrorPage>
  )
}
