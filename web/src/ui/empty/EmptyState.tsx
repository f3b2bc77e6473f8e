import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'

interface Props {
  /** A line drawing, see `EmptyDrawing`. */
  drawing: ReactNode
  text: string
  /** The action that fills the empty list. */
  action?: { label: string; onClick: () => void }
}

export function EmptyState({ drawing, text, action }: Props) {
  return (
    <Box
      sx={{
        display: 'flex',
        flexDirection: 'column',
        alignItems: 'center',
        textAlign: 'center',
        px: 3,
        py: { xs: 5, sm: 7 },
      }}
    >
      {drawing}
      <Typography color="textSecondary" sx={{ mt: 2, maxWidth: 320, textWrap: 'balance' }}>
        {text}
      </Typography>
      {action && (
        <Button variant="contained" onClick={action.onClick} sx={{ mt: 3 }}>
          {action.label}
        </Button>
      )}
    </Box>
  )
}
