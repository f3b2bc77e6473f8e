import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'

interface Props {
  label: string
  text?: ReactNode
  /** The button at the end of the row. */
  children?: ReactNode
}

/** A row with an action: its name, its effect and its button. */
export function ActionRow({ label, text, children }: Props) {
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, px: 2, py: 1.5, minHeight: 68 }}>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{label}</Typography>
        {text !== undefined && (
          <Typography variant="body2" color="textSecondary" component="div">
            {text}
          </Typography>
        )}
      </Box>
      {children}
    </Box>
  )
}
