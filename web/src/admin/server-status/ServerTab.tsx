import Stack from '@mui/material/Stack'
import { BackupsCard } from './BackupsCard.tsx'
import { BannerCard } from './BannerCard.tsx'
import { Diagnostics } from './Diagnostics.tsx'
import { ServerFigures } from './ServerFigures.tsx'
import { UpdateLine } from './UpdateLine.tsx'

export function ServerTab() {
  return (
    <Stack spacing={4}>
      <UpdateLine />
      <ServerFigures />
      <BackupsCard />
      <BannerCard />
      <Diagnostics />
    </Stack>
  )
}
