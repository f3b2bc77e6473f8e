import Box from '@mui/material/Box'
import type { ReactNode } from 'react'

/** The column of the ping page. */
export function PingArticle({ children }: { children: ReactNode }) {
  return (
    <Box component="article" sx={{ display: 'grid', gap: 2.5 }}>
      {children}
    </Box>
  )
}
