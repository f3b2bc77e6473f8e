import { type UserId } from '@hither/contract/ids.ts'
import { type Ping } from '@hither/contract/pings.ts'
import RefreshRounded from '@mui/icons-material/RefreshRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import List from '@mui/material/List'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useId } from 'react'
import { useServerNow } from '../api/server-time.ts'
import { EmptyDrawing } from '../ui/EmptyDrawing.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorAlert } from '../ui/ErrorAlert.tsx'
import { Tooltip } from '../ui/Tooltip.tsx'
import { PingRow } from './PingRow.tsx'
import { PingRowsSkeleton } from './PingRowsSkeleton.tsx'
import { pingsQuery } from './pings.api.ts'
import { orderNearby, statusAt } from './pings.rules.ts'
import { pingStrings } from './strings.ts'

interface Props {
  viewerId: UserId | undefined
  onOpen: (ping: Ping) => void
}

export function FriendsNearby({ viewerId, onOpen }: Props) {
  const pings = useQuery(pingsQuery())
  const nowMs = useServerNow(1000)
  const id = useId()
  const nearby = orderNearby(pings.data ?? [], nowMs, viewerId)

  return (
    <Box component="section" aria-labelledby={`${id}-title`}>
      <Box sx={{ display: 'flex', alignItems: 'center', minHeight: 56, pl: 2, pr: 1 }}>
        <Typography id={`${id}-title`} component="h2" variant="subtitle1" sx={{ flex: 1, fontWeight: 700 }}>
          {pingStrings.friendsNearby}
          {nearby.length > 0 && (
            <Box component="span" sx={{ ml: 1, color: 'text.secondary', fontWeight: 600 }}>
              {nearby.length}
            </Box>
          )}
        </Typography>
        <Tooltip title={pingStrings.refresh}>
          <IconButton aria-label={pingStrings.refresh} loading={pings.isFetching} onClick={() => void pings.refetch()}>
            <RefreshRounded />
          </IconButton>
        </Tooltip>
      </Box>
      <Box data-folds>{content()}</Box>
    </Box>
  )

  function content(): ReactNode {
    if (pings.isPending) return <PingRowsSkeleton label={pingStrings.loadingPings} />
    if (pings.isError && pings.data === undefined) {
      return (
        <Box sx={{ px: 2, pb: 2 }}>
          <ErrorAlert
            message={pingStrings.loadFailed}
            onRetry={() => void pings.refetch()}
            isRetrying={pings.isFetching}
          />
        </Box>
      )
    }
    if (nearby.length === 0)
      return <EmptyState drawing={<EmptyDrawing subject="pins" />} text={pingStrings.noneNearby} />
    return (
      <List disablePadding aria-labelledby={`${id}-title`}>
        <Rows pings={nearby} nowMs={nowMs} onOpen={onOpen} />
      </List>
    )
  }
}

const firstRows = 20

interface RowsProps {
  pings: readonly Ping[]
  nowMs: number
  onOpen: (ping: Ping) => void
}

/** The first of them at once, and the hundreds that there may be below without holding anything up. */
function Rows({ pings, nowMs, onOpen }: RowsProps) {
  const areAllShown = useDeferredValue(true, false)
  const shown = areAllShown ? pings : pings.slice(0, firstRows)
  return shown.map((ping) => (
    <PingRow key={ping.id} ping={ping} from={ping.username} status={statusAt(ping, nowMs)} onOpen={onOpen} />
  ))
}
