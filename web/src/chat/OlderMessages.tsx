import Box from '@mui/material/Box'
import CircularProgress from '@mui/material/CircularProgress'
import { ErrorAlert } from '../ui/ErrorAlert.tsx'
import { messageStrings } from './strings.ts'

interface Props {
  isLoading: boolean
  isFailed: boolean
  onRetry: () => void
}

/** Over the list rather than in it, so that nothing moves as it comes and goes. */
export function OlderMessages({ isLoading, isFailed, onRetry }: Props) {
  if (isFailed) {
    return (
      <Box sx={{ position: 'absolute', top: 8, left: 16, right: 16, zIndex: 2 }}>
        <ErrorAlert message={messageStrings.olderFailed} onRetry={onRetry} isRetrying={isLoading} />
      </Box>
    )
  }
  if (!isLoading) return null
  return (
    <Box
      sx={{
        position: 'absolute',
        top: 8,
        left: '50%',
        ml: '-18px',
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
      <CircularProgress size={20} aria-label={messageStrings.loadingOlder} />
    </Box>
  )
}
