import Box from '@mui/material/Box'
import type { ReactNode } from 'react'

/** The row of buttons of the ping page. Takes no space without a button. */
export function PingActions({ children }: { children: ReactNode }) {
  return <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, '&:empty': { display: 'none' } }}>{children}</Box>
}
