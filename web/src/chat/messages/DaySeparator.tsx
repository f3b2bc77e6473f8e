import Box from '@mui/material/Box'
import { dayName } from '../../ui/format-time.ts'

export function DaySeparator({ at, nowMs }: { at: string; nowMs: number }) {
  return (
    <Box sx={{ display: 'flex', justifyContent: 'center', pt: 2, pb: 1 }}>
      <Box
        component="span"
        sx={{
          px: 1.5,
          py: 0.25,
          borderRadius: 999,
          bgcolor: 'background.paper',
          border: 1,
          borderColor: 'divider',
          color: 'text.secondary',
          fontSize: '0.8125rem',
          fontWeight: 600,
        }}
      >
        {dayName(at, nowMs)}
      </Box>
    </Box>
  )
}
