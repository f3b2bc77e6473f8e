import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'

export function PingRowsSkeleton({ label }: { label: string }) {
  return (
    <Box role="status" aria-label={label}>
      {[140, 104, 168].map((width) => (
        <Box key={width} sx={{ display: 'flex', alignItems: 'center', gap: 1.5, px: 2, py: 1.25, minHeight: 64 }}>
          <Skeleton variant="circular" width={40} height={40} />
          <Box>
            <Skeleton width={width} sx={{ fontSize: '1rem' }} />
            <Skeleton width={width * 0.7} sx={{ fontSize: '0.875rem' }} />
          </Box>
        </Box>
      ))}
    </Box>
  )
}
