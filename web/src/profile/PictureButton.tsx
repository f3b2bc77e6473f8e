import IconButton from '@mui/material/IconButton'
import type { ReactNode } from 'react'

interface Props {
  id?: string
  side: 'left' | 'right'
  label: string
  isWorking?: boolean
  onClick: () => void
  children: ReactNode
}

/** A round button on the lower edge of the picture. */
export function PictureButton({ side, label, isWorking = false, onClick, children, ...props }: Props) {
  return (
    <IconButton
      {...props}
      title={label}
      aria-disabled={isWorking}
      onClick={() => {
        if (!isWorking) onClick()
      }}
      sx={{
        position: 'absolute',
        bottom: -8,
        [side]: -14,
        border: 1,
        borderColor: 'divider',
        bgcolor: 'background.paper',
        color: isWorking ? 'text.disabled' : 'text.primary',
        // Opaque, so that the image below is not visible.
        '&:hover': { bgcolor: 'background.paper', borderColor: 'text.secondary' },
      }}
    >
      {children}
    </IconButton>
  )
}
