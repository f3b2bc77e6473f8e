import type { PlaceViewer } from '@hither/contract/pings.ts'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useId } from 'react'
import { useServerNow } from '../../api/server-time.ts'
import { t } from '../../i18n/translate.ts'
import { shortTime } from '../../ui/format-time.ts'

/** For the owner: who has been given the exact place, and when first. */
export function PlaceViewers({ people }: { people: readonly PlaceViewer[] }) {
  const id = useId()
  const nowMs = useServerNow(60_000)
  return (
    <Box component="section" aria-labelledby={id} sx={{ display: 'grid', gap: 0.5 }}>
      <Typography id={id} component="h2" variant="subtitle1">
        {t('pings.place.seenBy')}
      </Typography>
      <Box component="ul" aria-labelledby={id} sx={{ m: 0, p: 0, listStyle: 'none', overflowWrap: 'anywhere' }}>
        {people.map(({ user_id, guest_id, name, first_at }) => (
          <li key={user_id ?? guest_id ?? first_at}>
            <bdi>{name ?? t('chat.deletedUser')}</bdi> {guest_id !== null && t('pings.guestList.mark')}{' '}
            <Typography component="span" variant="body2" color="textSecondary">
              {shortTime(first_at, nowMs)}
            </Typography>
          </li>
        ))}
      </Box>
    </Box>
  )
}
