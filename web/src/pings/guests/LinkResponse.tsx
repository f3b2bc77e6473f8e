import type { PublicPing } from '@hither/contract/pings.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import type { User } from '@hither/contract/users.ts'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { serverNow } from '../../api/server-time.ts'
import { t } from '../../i18n/translate.ts'
import { pingQuery } from '../pings.api.ts'
import { statusAt } from '../pings.rules.ts'
import { ResponseOrQuestion } from '../still-going/ResponseOrQuestion.tsx'
import { ResponseChoice } from '../view/ResponseChoice.tsx'
import { countsText, pollAfterMs } from './guest.rules.ts'
import { useLinkResponse } from './use-link-response.ts'

interface Props {
  ping: PublicPing
  viewer: User
}

/** The response of a signed-in person who is not invited. */
export function LinkResponse({ ping, viewer }: Props) {
  const { chosen, isWaiting, outdated, respond } = useLinkResponse(ping, viewer)
  // Guests receive no changes of the ping.
  useQuery({
    ...pingQuery(ping.id),
    refetchInterval: pollAfterMs(ping.guest, statusAt(ping, serverNow()) === 'expired'),
  })
  const owner = shownName(ping)

  if (!ping.can_respond && chosen === null) {
    return (
      <Typography color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
        {ping.guest_policy === 'off' ? t('pings.guest.onlyInvited', { owner }) : t('errors.guests_not_allowed')}
      </Typography>
    )
  }
  return (
    <Box component="section" sx={{ display: 'grid', gap: 1 }}>
      <ResponseOrQuestion question={outdated && { owner, ping, response: outdated, onAnswer: respond }}>
        <Box sx={{ display: 'grid', gap: 1 }}>
          <Typography component="h2" variant="subtitle1">
            {t('pings.respondTitle')}
          </Typography>
          <ResponseChoice chosen={chosen} onChoose={respond} />
        </Box>
      </ResponseOrQuestion>
      <Box role="status" sx={{ color: 'text.secondary', typography: 'body2', overflowWrap: 'anywhere' }}>
        {isWaiting ? t('pings.waiting.waiting') : explanation()}
      </Box>
      {ping.response_counts !== null && (
        <Typography sx={{ fontWeight: 700 }}>{countsText(ping.response_counts)}</Typography>
      )}
    </Box>
  )

  function explanation() {
    if (ping.guest?.state === 'waiting') return t('pings.guest.waitingFor', { owner })
    if (ping.guest !== null) return t('pings.guest.visibleTo', { owner })
    const lines = [t('pings.guest.respondAs', { username: viewer.username })]
    if (ping.guest_policy === 'approval') lines.push(t('pings.guest.needsApproval', { owner }))
    return lines.map((line) => <div key={line}>{line}</div>)
  }
}
