import type { Ping } from '@hither/contract/pings.ts'
import type { User } from '@hither/contract/users.ts'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { lazyComponent } from '../../ui/lazy.tsx'
import { canSeeResponses } from '../pings.rules.ts'
import { InviteeList } from '../view/InviteeList.tsx'
import { ResponseSummary } from '../view/ResponseSummary.tsx'

const TripRows = lazyComponent(async () => (await import('../trips/TripRows.tsx')).TripRows)

interface Props {
  ping: Ping
  viewer: User
  invitees?: ReactNode
}

/** The recipients, their responses and when they arrive, for viewers who may see them. */
export function PingGuests({ ping, viewer, invitees = <InviteeList people={ping.recipients} /> }: Props) {
  return (
    <>
      {(canSeeResponses(ping) || ping.trips.length > 0) && (
        <Box component="section" sx={{ display: 'grid', gap: 1 }}>
          <Typography component="h2" variant="subtitle1">
            {t('pings.responsesTitle')}
          </Typography>
          {canSeeResponses(ping) && <ResponseSummary ping={ping} viewer={viewer} />}
          <TripRows ping={ping} viewer={viewer} />
        </Box>
      )}
      {ping.recipients.length > 0 && (
        <Box component="section" sx={{ display: 'grid', gap: 1 }}>
          <Typography component="h2" variant="subtitle1">
            {t('pings.recipients')}
          </Typography>
          {invitees}
        </Box>
      )}
    </>
  )
}
