import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import { t } from '../../i18n/translate.ts'

export function ConversationsSkeleton() {
  return (
    <Box role="status" aria-label={t('chat.loading')} sx={{ px: { xs: 1, sm: 2, md: 1 } }}>
      {[140, 96, 168, 120, 104].map((width) => (
        <Box key={width} sx={{ display: 'flex', alignItems: 'center', gap: 1.75, px: 1.5, minHeight: 76 }}>
          <Skeleton variant="circular" width={52} height={52} sx={{ flexShrink: 0 }} />
          <Box sx={{ flex: 1 }}>
            <Skeleton width={width} sx={{ fontSize: '1.1rem' }} />
            <Skeleton width={`${width / 2}%`} sx={{ fontSize: '0.875rem' }} />
          </Box>
        </Box>
      ))}
    </Box>
  )
}
