import CloseRounded from '@mui/icons-material/CloseRounded'
import Box from '@mui/material/Box'
import DialogTitle from '@mui/material/DialogTitle'
import IconButton from '@mui/material/IconButton'
import type { ReactNode } from 'react'

interface Props {
  /** Names the dialog by `aria-labelledby`. */
  id: string
  title: string
  closeLabel: string
  onClose: () => void
  /** Stands before the close button. */
  children?: ReactNode
}

/** The title of a dialog that fills the screen of a phone, with a button that closes it. */
export function DialogHeading({ id, title, closeLabel, onClose, children }: Props) {
  return (
    <DialogTitle
      id={id}
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        paddingInlineStart: 2,
        paddingInlineEnd: 1,
        pt: 'calc(8px + var(--sat))',
        pb: 1,
      }}
    >
      <Box component="span" sx={{ flex: 1 }}>
        {title}
      </Box>
      {children}
      <IconButton aria-label={closeLabel} onClick={onClose}>
        <CloseRounded />
      </IconButton>
    </DialogTitle>
  )
}
