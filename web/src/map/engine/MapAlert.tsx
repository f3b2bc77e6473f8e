import CloseRounded from '@mui/icons-material/CloseRounded'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import { t } from '../../i18n/translate.ts'

interface Props {
  message: string
  onRetry?: (() => void) | undefined
  /** Set if the map is usable despite the problem. */
  onHide?: (() => void) | undefined
}

/** Shows a problem of the map over it. */
export function MapAlert({ message, onRetry, onHide }: Props) {
  return (
    <Box sx={{ position: 'absolute', zIndex: 2, top: 12, insetInlineStart: 12, insetInlineEnd: 72, maxWidth: 480 }}>
      <Alert
        severity="error"
        sx={{ boxShadow: '0 2px 12px rgb(0 0 0 / 0.2)', flexWrap: 'wrap' }}
        action={
          <>
            {onRetry && (
              <Button color="inherit" size="small" onClick={onRetry}>
                {t('ui.retry')}
              </Button>
            )}
            {onHide && (
              <IconButton color="inherit" aria-label={t('map.hideAlert')} onClick={onHide}>
                <CloseRounded fontSize="small" />
              </IconButton>
            )}
          </>
        }
      >
        {message}
      </Alert>
    </Box>
  )
}
