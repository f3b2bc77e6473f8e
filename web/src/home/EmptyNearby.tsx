import type { User } from '@hither/contract/users.ts'
import AddLocationAltRounded from '@mui/icons-material/AddLocationAltRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { friendsQuery } from '../friends/friends.api.ts'
import { t } from '../i18n/translate.ts'
import { EmptyDrawing } from '../ui/empty/EmptyDrawing.tsx'
import { lazyComponent } from '../ui/lazy.tsx'

const NewcomerSteps = lazyComponent(async () => (await import('./NewcomerSteps.tsx')).NewcomerSteps)

/** Shown while no friend shares a pin: the first steps for a user without friends, otherwise a button to share one. */
export function EmptyNearby({ user, onAdd }: { user: User; onAdd: () => void }) {
  const { data: friends } = useQuery(friendsQuery())
  if (friends?.length === 0) return <NewcomerSteps user={user} onAdd={onAdd} />
  return (
    <Box data-peek sx={{ display: 'flex', alignItems: 'center', gap: 2, px: 2, pb: 2 }}>
      <Box sx={{ flexShrink: 0, '& svg': { display: 'block', width: 96, height: 96 } }}>
        <EmptyDrawing subject="pins" />
      </Box>
      <Box sx={{ minWidth: 0 }}>
        <Typography color="textSecondary" sx={{ textWrap: 'balance' }}>
          {t('pings.noneNearby')}
        </Typography>
        <Button variant="outlined" startIcon={<AddLocationAltRounded />} onClick={onAdd} sx={{ mt: 1 }}>
          {t('home.shareHere')}
        </Button>
      </Box>
    </Box>
  )
}
