import Stack from '@mui/material/Stack'
import { Diagnostics } from './Diagnostics.tsx'
import { ServerFigures } from './ServerFigures.tsx'

export function ServerTab() {
  return (
    <Stack spacing={4}>
      <ServerFigures />
      <Diagnostics />
    </Stack>
  )
}
