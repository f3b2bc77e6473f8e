import Box from '@mui/material/Box'
import CircularProgress from '@mui/material/CircularProgress'
import { t } from '../../i18n/translate.ts'
import { ErrorAlert } from '../../ui/ErrorAlert.tsx'

interface Props {
  /** Which messages are loaded: those before the first one, at the top, or those after the last one, at the bottom. */
  which: 'older' | 'newer'
  isLoading: boolean
  isFailed: boolean
  onRetry: () => void
}

/** Rendered over the list, so that the messages do not move. */
export function MoreMessages({ which, isLoading, isFailed, onRetry }: Props) {
  const side = which === 'older' ? { top: 8 } : { bottom: 8 }
  if (isFailed) {
    return (
      <Box sx={{ position: 'absolute', ...side, insetInlineStart: 16, insetInlineEnd: 16, zIndex: 2 }}>
        <ErrorAlert
          message={which === 'older' ? t('chat.message.olderFailed') : t('chat.message.newerFailed')}
          onRetry={onRetry}
          isRetrying={isLoading}
        />
      </Box>
    )
  }
  if (!isLoading) return null
  return (
    <Box
      sx={{
        position: 'absolute',
        ...side,
        insetInlineStart: '50%',
        marginInlineStart: '-18px',
        width: 36,
        height: 36,
        display: 'grid',
        placeItems: 'center',
        borderRadius: '50%',
        bgcolor: 'background.paper',
        boxShadow: '0 2px 8px rgb(0 0 0 / 0.2)',
        zIndex: 2,
      }}
    >
      <CircularProgress
        size={20}
        aria-label={which === 'older' ? t('chat.message.loadingOlder') : t('chat.message.loadingNewer')}
      />
    </Box>
  )
}
