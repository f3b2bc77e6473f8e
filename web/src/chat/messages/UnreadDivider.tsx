import Box from '@mui/material/Box'
import { t } from '../../i18n/translate.ts'

/** Shown above the first message that was unread when the conversation was opened. */
export function UnreadDivider() {
  const line = { content: '""', flex: 1, borderTop: 1, borderColor: 'primary.main' }
  return (
    <Box
      role="separator"
      aria-label={t('chat.message.newMessages')}
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
      {t('chat.message.newMessages')}
    </Box>
  )
}
