import Box from '@mui/material/Box'
import CircularProgress from '@mui/material/CircularProgress'
import type { ReactNode } from 'react'

/** A short text over the map. */
export function MapNote({ isWorking = false, children }: { isWorking?: boolean; children: ReactNode }) {
  return (
    <Box
      role="status"
      sx={{
        position: 'absolute',
        top: 12,
        insetInlineStart: 12,
        // Leaves space for the button in the other corner.
        maxWidth: 'calc(100% - 84px)',
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        px: 1.5,
        py: 0.75,
        borderRadius: '16px',
        bgcolor: 'background.paper',
        color: 'text.secondary',
        typography: 'body2',
        fontWeight: 600,
        boxShadow: '0 2px 8px rgb(0 0 0 / 0.16)',
        pointerEvents: 'none',
      }}
    >
      {isWorking && <CircularProgress aria-hidden size={16} thickness={5} />}
      {children}
    </Box>
  )
}
