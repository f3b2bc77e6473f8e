import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import { t } from '../i18n/translate.ts'
import { Column } from '../ui/Column.tsx'

/** The loading state of the profile. */
export function ProfileSkeleton() {
  return (
    <Column>
      <Box role="status" aria-label={t('ui.loading')}>
        <Box sx={{ display: 'flex', flexDirection: 'column', alignItems: 'center', pt: 1.5, pb: 4 }}>
          <Skeleton variant="circular" width={100} height={100} />
          <Skeleton width={160} height={36} sx={{ mt: 2.5 }} />
          <Skeleton width={200} height={24} />
        </Box>
        <Stack spacing={3}>
          <Skeleton variant="rounded" height={232} sx={{ borderRadius: '16px' }} />
          <Skeleton variant="rounded" height={196} sx={{ borderRadius: '16px' }} />
          <Skeleton variant="rounded" height={204} sx={{ borderRadius: '16px' }} />
        </Stack>
      </Box>
    </Column>
  )
}
