import Box from '@mui/material/Box'
import { messageStrings } from '../strings.ts'

/** Shown above the first message that was unread when the conversation was opened. */
export function UnreadDivider() {
  const line = { content: '""', flex: 1, borderTop: 1, borderColor: 'primary.main' }
  return (
    <Box
      role="separator"
      aria-label={messageStrings.newMessages}
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1.5,
        px: 2,
        pt: 1.5,
        pb: 0.5,
        color: 'primary.main',
        fontSize: '0.8125rem',
        fontWeight: 700,
        '&::before, &::after': line,
      }}
    >
      {messageStrings.newMessages}
    </Box>
  )
}
