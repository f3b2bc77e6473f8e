import WifiOffRounded from '@mui/icons-material/WifiOffRounded'
import Box from '@mui/material/Box'
import { useOfflineSince } from '../realtime/live-status.ts'
import { clockTime } from '../ui/format-time.ts'
import { shellStrings } from './strings.ts'

export function OfflineBanner() {
  const sinceMs = useOfflineSince()
  return (
    // Always rendered, so that screen readers announce its text when it changes.
    <Box role="status">
      {sinceMs !== null && (
        <Box
          sx={{
            display: 'flex',
            alignItems: 'center',
            justifyContent: 'center',
            gap: 1,
            px: 2,
            py: 0.75,
            typography: 'body2',
            fontWeight: 600,
            bgcolor: 'text.primary',
            color: 'background.paper',
          }}
        >
          <WifiOffRounded fontSize="small" />
          {shellStrings.offline(clockTime(sinceMs))}
        </Box>
      )}
    </Box>
  )
}
