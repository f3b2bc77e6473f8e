import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { type ReactNode } from 'react'
import { BrandMark } from '../ui/BrandMark.tsx'

interface Props {
  heading: string
  message: string
  children: ReactNode
}

/** The last resort: says what happened and offers a way on. */
export function ErrorPage({ heading, message, children }: Props) {
  return (
    <Box
      component="main"
      sx={{
        minHeight: '100dvh',
        display: 'grid',
        placeContent: 'center',
        justifyItems: 'center',
        textAlign: 'center',
        gap: 2,
        p: 3,
      }}
    >
      <BrandMark size={48} />
      <Typography variant="h2" component="h1">
        {heading}
      </Typography>
      <Typography role="alert" color="textSecondary" sx={{ maxWidth: 440, overflowWrap: 'anywhere' }}>
        {message}
      </Typography>
      <Box sx={{ display: 'flex', gap: 1.5, mt: 1 }}>{children}</Box>
    </Box>
  )
}
