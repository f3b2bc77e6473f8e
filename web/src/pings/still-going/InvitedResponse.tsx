import type { Ping } from '@hither/contract/pings.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import type { User } from '@hither/contract/users.ts'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { t } from '../../i18n/translate.ts'
import { OnMyWay } from '../trips/OnMyWay.tsx'
import { ResponseButtons } from '../view/ResponseButtons.tsx'
import { useOwnResponse } from '../view/use-own-response.ts'
import { ResponseOrQuestion } from './ResponseOrQuestion.tsx'

interface Props {
  ping: Ping
  viewer: User
  hasHeading?: boolean
}

/** The buttons of an invitee's response, or the question whether it still holds, and the button to share the arrival time. */
export function InvitedResponse({ ping, viewer, hasHeading = false }: Props) {
  const { chosen, isWaiting, outdated, respond } = useOwnResponse(ping, viewer)
  const question = outdated && { owner: shownName(ping), ping, response: outdated, onAnswer: respond }
  return (
    <Box sx={{ display: 'grid', gap: 1 }}>
      <ResponseOrQuestion question={question}>
        <Box component="section" sx={{ display: 'grid', gap: 1 }}>
          {hasHeading && (
            <Typography component="h2" variant="subtitle1">
              {t('pings.respondTitle')}
            </Typography>
          )}
          <ResponseButtons chosen={chosen} isWaiting={isWaiting} onChoose={respond} />
        </Box>
      </ResponseOrQuestion>
      {chosen === 'accepted' && <OnMyWay ping={ping} viewer={viewer} />}
    </Box>
  )
}
