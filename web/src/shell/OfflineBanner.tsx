import WifiOffRounded from '@mui/icons-material/WifiOffRounded'
import Box from '@mui/material/Box'
import GlobalStyles from '@mui/material/GlobalStyles'
import { useTimeZone } from '../api/server-time.ts'
import { t } from '../i18n/translate.ts'
import { useOfflineSince } from '../realtime/live-status.ts'
import { clockTime } from '../ui/format-time.ts'

/** `isTop`: the banner is at the upper edge of the screen, where it leaves the room for the status bar instead of the page. */
export function OfflineBanner({ isTop = false }: { isTop?: boolean }) {
  useTimeZone()
  const sinceMs = useOfflineSince()
  return (
    // Always rendered, so that screen readers announce its text when it changes.
    <Box role="status">
      {isTop && sinceMs !== null && <GlobalStyles styles={{ ':root': { '--page-top': '0px' } }} />}
      {sinceMs !== null && (
        <Box
          sx={{
            display: 'flex',
            alignItems: 'center',
            justifyContent: 'center',
            gap: 1,
            px: 2,
            pt: isTop ? 'calc(6px + var(--sat))' : 0.75,
            pb: 0.75,
            typography: 'body2',
            fontWeight: 600,
            bgcolor: 'text.primary',
            color: 'background.paper',
          }}
        >
          <WifiOffRounded fontSize="small" />
          {t('shell.offline', { time: clockTime(sinceMs) })}
        </Box>
      )}
    </Box>
  )
}
