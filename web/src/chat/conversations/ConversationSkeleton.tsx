import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import { t } from '../../i18n/translate.ts'

const bubbles = [
  { width: '56%', isOwn: false },
  { width: '38%', isOwn: false },
  { width: '48%', isOwn: true },
  { width: '64%', isOwn: false },
  { width: '30%', isOwn: true },
] as const

export function ConversationSkeleton() {
  return (
    <Box
      role="status"
      aria-label={t('chat.conversation.loading')}
      sx={{ height: '100%', display: 'flex', flexDirection: 'column' }}
    >
      <Box
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: 1.5,
          px: 2,
          height: 64,
          borderBottom: 1,
          borderColor: 'divider',
        }}
      >
        <Skeleton variant="circular" width={40} height={40} />
        <Skeleton width={140} sx={{ fontSize: '1.1rem' }} />
      </Box>
      <Box
        sx={{ flex: 1, display: 'flex', flexDirection: 'column', justifyContent: 'flex-end', gap: 1.5, p: 2, pb: 10 }}
      >
        {bubbles.map(({ width, isOwn }) => (
          <Skeleton
            key={width}
            variant="rounded"
            width={width}
            height={44}
            sx={{ alignSelf: isOwn ? 'flex-end' : 'flex-start', borderRadius: '18px' }}
          />
        ))}
      </Box>
    </Box>
  )
}
