import Box from '@mui/material/Box'
import Card from '@mui/material/Card'
import Skeleton from '@mui/material/Skeleton'
import { t } from '../i18n/translate.ts'

export function PeopleSkeleton() {
  return (
    <Card role="status" aria-label={t('friends.loading')}>
      {[132, 96, 156].map((width) => (
        <Box key={width} sx={{ display: 'flex', alignItems: 'center', gap: 1.75, px: { xs: 1.5, sm: 2 }, py: 1.5 }}>
          <Skeleton variant="circular" width={48} height={48} />
          <Box>
            <Skeleton width={width} sx={{ fontSize: '1.1rem' }} />
            <Skeleton width={width * 0.7} sx={{ fontSize: '0.875rem' }} />
          </Box>
        </Box>
      ))}
    </Card>
  )
}
