import Box from '@mui/material/Box'
import { type ReactNode } from 'react'

/** The one centred column that the quiet screens are made of. */
export function Column({ children }: { children: ReactNode }) {
  return (
    <Box
      sx={{
        maxWidth: 720,
        mx: 'auto',
        px: { xs: 2, sm: 3 },
        pt: { xs: 2.5, sm: 4 },
        // The last row can be scrolled clear of the floating button.
        pb: 12,
      }}
    >
      {children}
    </Box>
  )
}
