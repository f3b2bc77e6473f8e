import { type User } from '@hither/contract/users.ts'
import PlaceRounded from '@mui/icons-material/PlaceRounded'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Chip from '@mui/material/Chip'
import Typography from '@mui/material/Typography'
import { useServerNow } from '../api/server-time.ts'
import { coordinatesText } from '../map/coordinates.ts'
import { DistanceLine } from '../map/DistanceLine.tsx'
import { ReportButton } from '../moderation/ReportButton.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { UserAvatar } from '../ui/UserAvatar.tsx'
import { LoginInvitation } from './LoginInvitation.tsx'
import { PingActions } from './PingActions.tsx'
import { PingGuests } from './PingGuests.tsx'
import { PingOwnerPanel } from './PingOwnerPanel.tsx'
import { PingPicture } from './PingPicture.tsx'
import { PingTime } from './PingTime.tsx'
import { type ShownPing } from './ping-shapes.ts'
import { canRespond, statusAt } from './pings.rules.ts'
import { ResponseButtons } from './ResponseButtons.tsx'
import { StatusChip } from './StatusChip.tsx'
import { pingStrings } from './strings.ts'
import { shortTime } from './times.ts'

interface Props {
  ping: ShownPing
  viewer: User | null
  onDeleted: () => void
}

export function PingDetails({ ping, viewer, onDeleted }: Props) {
  const nowMs = useServerNow(1000)
  const status = statusAt(ping, nowMs)
  const ownerId = 'user_id' in ping ? ping.user_id : null
  const isOwn = ownerId !== null && ownerId === viewer?.id

  return (
    <Box component="article" sx={{ display: 'grid', gap: 2.5 }}>
      {status === 'expired' && <Alert severity="warning">{pingStrings.expiredBanner}</Alert>}
      <Box sx={{ display: 'flex', gap: 2, alignItems: 'center' }}>
        <UserAvatar
          userId={ownerId ?? ping.id}
          username={ping.username}
          hasImage={viewer !== null && 'user_has_image' in ping && ping.user_has_image}
          size={56}
        />
        <Box sx={{ minWidth: 0 }}>
          <Typography variant="h1" sx={{ fontSize: '1.5rem', overflowWrap: 'anywhere' }}>
            {ping.name || ping.username}
          </Typography>
          {ping.name && <Typography color="textSecondary">{pingStrings.by(ping.username)}</Typography>}
        </Box>
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
        {isOwn && <Chip size="small" color="primary" variant="outlined" label={pingStrings.you} />}
        <StatusChip status={status} />
        {status !== 'expired' && (
          <Typography sx={{ fontWeight: 700, fontVariantNumeric: 'tabular-nums' }}>
            <PingTime ping={ping} wording="remaining" />
          </Typography>
        )}
      </Box>
      {viewer !== null && 'recipients' in ping && canRespond(ping, viewer.id, nowMs) && (
        <Box component="section" sx={{ display: 'grid', gap: 1 }}>
          <Typography component="h2" variant="subtitle1">
            {pingStrings.respondTitle}
          </Typography>
          <ResponseButtons ping={ping} viewer={viewer} />
        </Box>
      )}
      {viewer !== null && <PingPicture ping={ping} heightPx={300} />}
      {'message' in ping && ping.message && (
        <Typography sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', fontSize: '1.0625rem' }}>
          {ping.message}
        </Typography>
      )}
      <Box sx={{ display: 'flex', gap: 1, color: 'text.secondary' }}>
        <PlaceRounded aria-hidden fontSize="small" />
        <Box sx={{ minWidth: 0 }}>
          <Typography sx={{ overflowWrap: 'anywhere' }}>{ping.address ?? coordinatesText(ping)}</Typography>
          {status !== 'expired' && <DistanceLine place={ping} />}
        </Box>
      </Box>
      <PingActions ping={ping} viewer={viewer} status={status} />
      {viewer === null && <LoginInvitation canStillRespond={status !== 'expired'} />}
      {'recipients' in ping && viewer !== null && <PingGuests ping={ping} viewer={viewer} />}
      {isOwn && 'recipients' in ping && <PingOwnerPanel ping={ping} status={status} onDeleted={onDeleted} />}
      <Box sx={{ display: 'grid', gap: 0.5, color: 'text.secondary', typography: 'body2' }}>
        <span>
          {pingStrings.created} <RelativeTime at={ping.created_at} />
        </span>
        {ping.activates_at !== null && status !== 'pending' && (
          <span>{pingStrings.activated(shortTime(ping.activates_at, nowMs))}</span>
        )}
      </Box>
      {viewer !== null && !isOwn && (
        <Box sx={{ ml: -1 }}>
          <ReportButton target={{ kind: 'ping', id: ping.id, hasImage: ping.has_image }} />
        </Box>
      )}
    </Box>
  )
}
