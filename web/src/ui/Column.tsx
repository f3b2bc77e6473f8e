import Box from '@mui/material/Box'
import type { ReactNode } from 'react'

/** The centred column of the screens without a map. */
export function Column({ children }: { children: ReactNode }) {
  return (
    <Box
      sx={{
        maxWidth: 720,
        mx: 'auto',
        px: { xs: 2, sm: 3 },
        pt: { xs: 2.5, sm: 4 },
        // The last row can be scrolled above the floating button.
        pb: 12,
      }}
    >
      {children}
    </Box>
  )
}
