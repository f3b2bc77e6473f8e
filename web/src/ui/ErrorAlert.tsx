import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { langOf } from '../api/server-texts.ts'
import { t } from '../i18n/translate.ts'

interface Props {
  message: string
  onRetry?: (() => void) | undefined
  isRetrying?: boolean
}

export function ErrorAlert({ message, onRetry, isRetrying = false }: Props) {
  return (
    <Alert
      severity="error"
      lang={langOf(message)}
      action={
        onRetry && (
          <Button color="inherit" size="small" onClick={onRetry} loading={isRetrying}>
            {t('ui.retry')}
          </Button>
        )
      }
    >
      {message}
    </Alert>
  )
}
