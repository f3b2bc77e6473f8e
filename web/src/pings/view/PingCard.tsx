import type { Ping } from '@hither/contract/pings.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import type { User } from '@hither/contract/users.ts'
import CloseRounded from '@mui/icons-material/CloseRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { useServerNow } from '../../api/server-time.ts'
import { t } from '../../i18n/translate.ts'
import { currentTrips } from '../../trips/sharing.rules.ts'
import { loadPart } from '../../ui/load-module.ts'
import { UserAvatar } from '../../ui/UserAvatar.tsx'
import { audienceOf } from '../audience.ts'
import { MessageButton } from '../chat/MessageButton.tsx'
import { OpenChatButton } from '../chat/OpenChatButton.tsx'
import { PingPicture } from '../pictures/PingPicture.tsx'
import { isTemporary } from '../ping-changes.ts'
import { canSeeResponses, statusAt, titleOf } from '../pings.rules.ts'
import { PlaceLines } from '../place/PlaceLines.tsx'
import { InvitedResponse } from '../still-going/InvitedResponse.tsx'
import { OnMyWay } from '../trips/OnMyWay.tsx'
import { TripLine } from '../trips/TripLine.tsx'
import { PingTime } from './PingTime.tsx'
import { PingTools } from './PingTools.tsx'
import { ResponseSummary } from './ResponseSummary.tsx'
import { StatusChip } from './StatusChip.tsx'

/** The link library is not part of Home's first load. */
const LinkedText = lazy(async () => ({
  default: (await loadPart(() => import('../../ui/linked-text/LinkedText.tsx'))).LinkedText,
}))

interface Props {
  ping: Ping
  viewer: User | null
  onClose: () => void
}

/** The popup of a pin on the map. */
export function PingCard({ ping, viewer, onClose }: Props) {
  const nowMs = useServerNow(1000)
  const status = statusAt(ping, nowMs)
  const isOwn = ping.access === 'owner'
  const isSending = isTemporary(ping.id)

  return (
    <Box
      sx={{
        width: 'min(304px, calc(100vw - 32px))',
        p: 2,
        display: 'grid',
        gridTemplateColumns: 'minmax(0, 1fr)',
        gap: 1.25,
        opacity: status === 'expired' ? 0.7 : 1,
      }}
    >
      <Box sx={{ display: 'flex', gap: 1.25, alignItems: 'flex-start' }}>
        <UserAvatar userId={ping.user_id} name={shownName(ping)} hasImage={ping.user_has_image} size={40} />
        <Box sx={{ minWidth: 0, flex: 1 }}>
          <Typography component="h2" variant="subtitle1" sx={{ lineHeight: 1.25, overflowWrap: 'anywhere' }}>
            <bdi>{titleOf(ping)}</bdi>
          </Typography>
          {ping.name && (
            <Typography variant="body2" color="textSecondary" noWrap>
              {t('pings.by', { username: shownName(ping) })}
            </Typography>
          )}
        </Box>
        <IconButton aria-label={t('pings.close')} onClick={onClose} sx={{ mt: -1, marginInlineEnd: -1 }}>
          <CloseRounded fontSize="small" />
        </IconButton>
      </Box>
      <Box sx={{ display: 'flex', alignItems: 'center', flexWrap: 'wrap', gap: 0.75 }}>
        {isOwn && <Chip size="small" label={t('pings.you')} color="primary" variant="outlined" />}
        <StatusChip status={status} isCanceled={ping.canceled_at !== null} />
        {status !== 'expired' && (
          <Typography variant="body2" component="span" sx={{ fontWeight: 600 }}>
            <PingTime ping={ping} />
          </Typography>
        )}
      </Box>
      {!isOwn && <PlaceLines ping={ping} status={status} />}
      {isOwn && !isSending && status !== 'expired' && (
        <Typography variant="body2" color="textSecondary">
          {audienceOf(ping, nowMs)}
        </Typography>
      )}
      {viewer !== null && <PingPicture ping={ping} heightPx={112} />}
      {ping.message && (
        <Typography
          variant="body2"
          tabIndex={0}
          sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', maxHeight: 96, overflowY: 'auto' }}
        >
          <Suspense fallback={ping.message}>
            <LinkedText content={ping.message} />
          </Suspense>
        </Typography>
      )}
      {viewer === null && status !== 'expired' && (
        <Button variant="outlined" disabled>
          {t('pings.loginToRespond')}
        </Button>
      )}
      {viewer !== null && ping.can_respond && status !== 'expired' && <InvitedResponse ping={ping} viewer={viewer} />}
      {viewer !== null && isOwn && !isSending && <OnMyWay ping={ping} viewer={viewer} />}
      {viewer !== null && canSeeResponses(ping) && !isSending && <ResponseSummary ping={ping} viewer={viewer} />}
      <TripLine trips={currentTrips(ping, nowMs)} />
      {isSending ? (
        <Typography variant="body2" color="textSecondary" role="status">
          {t('pings.sending')}
        </Typography>
      ) : (
        status !== 'expired' && (
          <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.5 }}>
            <Box sx={{ flex: 1, minWidth: 0, marginInlineStart: -1 }}>
              {viewer !== null && <PingChatButton ping={ping} />}
            </Box>
            <PingTools ping={ping} />
          </Box>
        )
      )}
      {!isSending && status !== 'expired' && (
        <Button component={Link} to={`/pins/${ping.id}`} variant="text" sx={{ mb: -1 }}>
          {t('pings.seeMore')}
        </Button>
      )}
    </Box>
  )
}

/** The chat of the ping, or the direct chat with the other person. */
function PingChatButton({ ping }: { ping: Ping }) {
  return ping.conversation_id === null ? (
    <MessageButton ping={ping} size="small" variant="text" />
  ) : (
    <OpenChatButton conversationId={ping.conversation_id} size="small" variant="text" />
  )
}
