import Box from '@mui/material/Box'
import Card from '@mui/material/Card'
import Divider from '@mui/material/Divider'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { type ReactNode, useId } from 'react'

/** A card with rows of settings below a heading. */
export function SettingsCard({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <Box component="section" aria-labelledby={id}>
      <Typography id={id} component="h2" variant="body2" color="textSecondary" sx={{ fontWeight: 700, mb: 1, px: 0.5 }}>
        {title}
      </Typography>
      <Card>
        <Stack divider={<Divider />}>{children}</Stack>
      </Card>
    </Box>
  )
}
