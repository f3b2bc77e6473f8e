import Box from '@mui/material/Box'
import type { ReactNode } from 'react'
import { bubbleSize } from './photo-size.ts'

interface Props {
  width: number | null
  height: number | null
  children: ReactNode
}

/** The space of a photo at the top of its bubble. It does not change when the photo has loaded. */
export function PhotoFrame({ width, height, children }: Props) {
  const size = bubbleSize(width, height)
  return (
    <Box
      sx={{
        position: 'relative',
        mx: '-10px',
        mt: '-4px',
        mb: 0.75,
        width: size.width,
        maxWidth: 'calc(100% + 20px)',
        aspectRatio: `${size.width} / ${size.height}`,
        borderRadius: '14px',
        overflow: 'hidden',
        bgcolor: 'background.paper',
        color: 'text.secondary',
      }}
    >
      {children}
    </Box>
  )
}

/** Fills the frame of a photo. */
export const coverFrame = {
  display: 'block',
  width: '100%',
  height: '100%',
  objectFit: 'cover',
} as const
