import { type Ping } from '@hither/contract/pings.ts'
import { type User } from '@hither/contract/users.ts'
import CloseRounded from '@mui/icons-material/CloseRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { Link } from 'react-router'
import { useServerNow } from '../api/server-time.ts'
import { DistanceLine } from '../map/DistanceLine.tsx'
import { UserAvatar } from '../ui/UserAvatar.tsx'
import { audienceOf } from './audience.ts'
import { PingPicture } from './PingPicture.tsx'
import { PingTime } from './PingTime.tsx'
import { isTemporary } from './ping-changes.ts'
import { canRespond, canSeeResponses, statusAt } from './pings.rules.ts'
import { ResponseButtons } from './ResponseButtons.tsx'
import { StatusChip } from './StatusChip.tsx'
import { pingStrings } from './strings.ts'
import { WhoIsComing } from './WhoIsComing.tsx'

interface Props {
  ping: Ping
  viewer: User | null
  onClose: () => void
}

/** What a pin on the map opens. */
export function PingCard({ ping, viewer, onClose }: Props) {
  const nowMs = useServerNow(1000)
  const status = statusAt(ping, nowMs)
  const isOwn = ping.user_id === viewer?.id
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
        <UserAvatar userId={ping.user_id} username={ping.username} hasImage={ping.user_has_image} size={40} />
        <Box sx={{ minWidth: 0, flex: 1 }}>
          <Typography component="h2" variant="subtitle1" sx={{ lineHeight: 1.25, overflowWrap: 'anywhere' }}>
            {ping.name || ping.username}
          </Typography>
          {ping.name && (
            <Typography variant="body2" color="textSecondary" noWrap>
              {pingStrings.by(ping.username)}
            </Typography>
          )}
        </Box>
        <IconButton aria-label={pingStrings.close} onClick={onClose} sx={{ mt: -1, mr: -1 }}>
          <CloseRounded fontSize="small" />
        </IconButton>
      </Box>
      <Box sx={{ display: 'flex', alignItems: 'center', flexWrap: 'wrap', gap: 0.75 }}>
        {isOwn && <Chip size="small" label={pingStrings.you} color="primary" variant="outlined" />}
        <StatusChip status={status} />
        {status !== 'expired' && (
          <Typography variant="body2" component="span" sx={{ fontWeight: 600 }}>
            <PingTime ping={ping} />
          </Typography>
        )}
      </Box>
      {!isOwn && <DistanceLine place={ping} />}
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
          {ping.message}
        </Typography>
      )}
      {viewer === null && status !== 'expired' && (
        <Button variant="outlined" disabled>
          {pingStrings.loginToRespond}
        </Button>
      )}
      {viewer !== null && canRespond(ping, viewer.id, nowMs) && <ResponseButtons ping={ping} viewer={viewer} />}
      {viewer !== null && canSeeResponses(ping, viewer.id) && !isSending && (
        <WhoIsComing responses={ping.responses} viewer={viewer} />
      )}
      {isSending ? (
        <Typography variant="body2" color="textSecondary" role="status">
          {pingStrings.sending}
        </Typography>
      ) : (
        status !== 'expired' && (
          <Button component={Link} to={`/pins/${ping.id}`} variant="text" sx={{ mb: -1 }}>
            {pingStrings.seeMore}
          </Button>
        )
      )}
    </Box>
  )
}
