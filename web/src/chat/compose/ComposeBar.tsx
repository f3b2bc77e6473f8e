import CloseRounded from '@mui/icons-material/CloseRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import type { ReactNode } from 'react'

interface Props {
  icon: ReactNode
  title: string
  /** One line of the message that is replied to or edited. */
  excerpt: string
  closeLabel: string
  onClose: () => void
}

/** Above the field: what the text is for. */
export function ComposeBar({ icon, title, excerpt, closeLabel, onClose }: Props) {
  return (
    <Box
      role="group"
      aria-label={title}
      sx={{ display: 'flex', alignItems: 'center', gap: 1.5, paddingInlineStart: 1, pb: 1, color: 'primary.main' }}
    >
      {icon}
      <Box sx={{ flex: 1, minWidth: 0, borderInlineStart: 3, borderColor: 'primary.main', paddingInlineStart: 1.25 }}>
        <Box
          sx={{
            overflow: 'hidden',
            textOverflow: 'ellipsis',
            whiteSpace: 'nowrap',
            fontSize: '0.875rem',
            fontWeight: 700,
          }}
        >
          {title}
        </Box>
        <Box
          dir="auto"
          sx={{
            overflow: 'hidden',
            textOverflow: 'ellipsis',
            whiteSpace: 'nowrap',
            fontSize: '0.875rem',
            color: 'text.secondary',
          }}
        >
          {excerpt}
        </Box>
      </Box>
      <IconButton title={closeLabel} onClick={onClose}>
        <CloseRounded />
      </IconButton>
    </Box>
  )
}
