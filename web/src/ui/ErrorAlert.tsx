import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { uiStrings } from './strings.ts'

interface Props {
  message: string
  onRetry?: (() => void) | undefined
  isRetrying?: boolean
}

export function ErrorAlert({ message, onRetry, isRetrying = false }: Props) {
  return (
    <Alert
      severity="error"
      action={
        onRetry && (
          <Button color="inherit" size="small" onClick={onRetry} loading={isRetrying}>
            {uiStrings.retry}
          </Button>
        )
      }
    >
      {message}
    </Alert>
  )
}
