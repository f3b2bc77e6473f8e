import type { Ping, PingStatus } from '@hither/contract/pings.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import type { User } from '@hither/contract/users.ts'
import Box from '@mui/material/Box'
import ListItem from '@mui/material/ListItem'
import ListItemButton from '@mui/material/ListItemButton'
import Typography from '@mui/material/Typography'
import { memo, type ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { DistanceLine } from '../../map/location/DistanceLine.tsx'
import { UserAvatar } from '../../ui/UserAvatar.tsx'
import { countGoing, titleOf } from '../pings.rules.ts'
import { areaText, isExact } from '../place/place.rules.ts'
import { PingTime } from '../view/PingTime.tsx'
import { StatusChip } from '../view/StatusChip.tsx'
import { RowResponse } from './RowResponse.tsx'

interface Props {
  ping: Ping
  status: PingStatus
  viewer: User
  /** Whether the viewer may respond. */
  canRespond?: boolean
  /** Whether it is visible at the lowest stop of the sheet. */
  isFirst?: boolean
  action?: ReactNode
  onOpen: (ping: Ping) => void
}

const rowPx = 64
const friendRowPx = 84
const responsePx = 52

/**
 * A row for a ping. An expired ping is not on the map, so its row is disabled. There may be hundreds of rows: each
 * renders only when it changes, and rows outside of the viewport are not laid out.
 */
export const PingRow = memo(function PingRow(props: Props) {
  const { ping, status, viewer, canRespond = false, isFirst = false, action, onOpen } = props
  const isExpired = status === 'expired'
  const isOwn = ping.user_id === viewer.id
  const heightPx = (isOwn ? rowPx : friendRowPx) + (canRespond ? responsePx : 0)
  const title = titleOf(ping)
  return (
    <ListItem
      disablePadding
      {...(isFirst && { 'data-peek': true })}
      sx={{ display: 'block', contentVisibility: 'auto', containIntrinsicHeight: `auto ${heightPx}px` }}
    >
      <Box sx={{ display: 'flex', alignItems: 'stretch' }}>
        <ListItemButton
          disabled={isExpired}
          onClick={() => onOpen(ping)}
          // MUI dims disabled elements below a readable contrast. The text colour already shows the state.
          sx={{ flex: 1, minWidth: 0, gap: 1.5, px: 2, py: 1, minHeight: rowPx, '&.Mui-disabled': { opacity: 1 } }}
        >
          <Box sx={{ filter: status === 'active' ? 'none' : 'grayscale(1)', opacity: isExpired ? 0.6 : 1 }}>
            <UserAvatar userId={ping.user_id} name={shownName(ping)} hasImage={ping.user_has_image} size={40} />
          </Box>
          <Box sx={{ minWidth: 0, flex: 1 }}>
            <Typography noWrap sx={{ fontWeight: 700, color: isExpired ? 'text.secondary' : 'text.primary' }}>
              <bdi>{title}</bdi>
            </Typography>
            {!isOwn && (
              <Typography noWrap variant="body2" color="textSecondary">
                <bdi>{shownName(ping)}</bdi>
              </Typography>
            )}
            <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1.5 }}>
              <Typography variant="body2" color="textSecondary">
                <PingTime ping={ping} />
              </Typography>
              {!isOwn && !isExpired && <RowPlace ping={ping} />}
              {isOwn && <GoingLine ping={ping} />}
            </Box>
          </Box>
          {status === 'pending' && <StatusChip status={status} />}
        </ListItemButton>
        {action}
      </Box>
      {canRespond && <RowResponse ping={ping} viewer={viewer} title={title} />}
    </ListItem>
  )
})

/** The distance of an exact place, or the town of an area. */
function RowPlace({ ping }: { ping: Ping }) {
  if (isExact(ping)) return <DistanceLine place={ping} />
  return (
    <Typography noWrap variant="body2" color="textSecondary">
      {areaText(ping)}
    </Typography>
  )
}

function GoingLine({ ping }: { ping: Ping }) {
  const count = countGoing(ping)
  if (count === 0) return null
  return (
    <Typography variant="body2" sx={{ fontWeight: 700, color: 'success.main' }}>
      {t('pings.going', { count })}
    </Typography>
  )
}
