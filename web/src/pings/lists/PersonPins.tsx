import type { UserId } from '@hither/contract/ids.ts'
import Box from '@mui/material/Box'
import List from '@mui/material/List'
import ListItem from '@mui/material/ListItem'
import ListItemButton from '@mui/material/ListItemButton'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link } from 'react-router'
import { useServerNow } from '../../api/server-time.ts'
import { t } from '../../i18n/translate.ts'
import { pingsQuery } from '../pings.api.ts'
import { statusAt, titleOf } from '../pings.rules.ts'
import { PingTime } from '../view/PingTime.tsx'

/** The live and scheduled pins of one person, as links to their pages. */
export function PersonPins({ userId }: { userId: UserId }) {
  const id = useId()
  const nowMs = useServerNow(15_000)
  const { data: pings = [] } = useQuery(pingsQuery())
  const shown = pings.filter((ping) => ping.user_id === userId && statusAt(ping, nowMs) !== 'expired')
  if (shown.length === 0) return null
  return (
    <Box component="section" aria-labelledby={id}>
      <Typography id={id} component="h3" variant="subtitle1">
        {t('pings.theirPins')}
      </Typography>
      <List disablePadding sx={{ mx: -2 }}>
        {shown.map((ping) => (
          <ListItem key={ping.id} disablePadding>
            <ListItemButton component={Link} to={`/pins/${ping.id}`} sx={{ display: 'block', borderRadius: '12px' }}>
              <Typography sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
                <bdi>{titleOf(ping)}</bdi>
              </Typography>
              <Typography variant="body2" color="textSecondary">
                <PingTime ping={ping} />
              </Typography>
            </ListItemButton>
          </ListItem>
        ))}
      </List>
    </Box>
  )
}
