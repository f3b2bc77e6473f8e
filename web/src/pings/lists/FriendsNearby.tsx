import type { Ping } from '@hither/contract/pings.ts'
import type { User } from '@hither/contract/users.ts'
import RefreshRounded from '@mui/icons-material/RefreshRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import List from '@mui/material/List'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useId } from 'react'
import { useServerNow } from '../../api/server-time.ts'
import { t } from '../../i18n/translate.ts'
import { useLastKnownPlace } from '../../map/location/last-known-place.ts'
import { ErrorAlert } from '../../ui/ErrorAlert.tsx'
import { Tooltip } from '../../ui/Tooltip.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { pingsQuery } from '../pings.api.ts'
import { isElsewhere, orderNearby, statusAt } from '../pings.rules.ts'
import { PingRow } from './PingRow.tsx'
import { PingRowsSkeleton } from './PingRowsSkeleton.tsx'

interface Props {
  viewer: User
  onOpen: (ping: Ping) => void
  /** Shown while no friend shares a pin. */
  empty: ReactNode
}

/** The pins of friends, and under a heading of their own those too far away to be nearby. */
export function FriendsNearby({ viewer, onOpen, empty }: Props) {
  const pings = useQuery(pingsQuery())
  const nowMs = useServerNow(1000)
  const { showError } = useSnackbar()
  const id = useId()
  const position = useLastKnownPlace()
  const shared = orderNearby(pings.data ?? [], nowMs, position)
  const nearby = shared.filter((ping) => !isElsewhere(ping, position))
  const elsewhere = shared.filter((ping) => isElsewhere(ping, position))
  // If no pin is nearby, those elsewhere take the place and the heading of the first list.
  const isAllElsewhere = nearby.length === 0 && elsewhere.length > 0
  const [first, second] = isAllElsewhere ? [elsewhere, []] : [nearby, elsewhere]

  return (
    <Box component="section" aria-labelledby={`${id}-title`}>
      <Box sx={{ display: 'flex', alignItems: 'center', minHeight: 48, paddingInlineStart: 2, paddingInlineEnd: 1 }}>
        <Typography id={`${id}-title`} component="h2" variant="subtitle1" sx={{ flex: 1, fontWeight: 700 }}>
          {isAllElsewhere ? t('pings.elsewhere') : t('pings.friendsNearby')}
          {first.length > 0 && (
            <Box component="span" sx={{ marginInlineStart: 1, color: 'text.secondary', fontWeight: 600 }}>
              {first.length}
            </Box>
          )}
        </Typography>
        <Tooltip title={t('pings.refresh')}>
          <IconButton aria-label={t('pings.refresh')} loading={pings.isFetching} onClick={() => void handleRefresh()}>
            <RefreshRounded />
          </IconButton>
        </Tooltip>
      </Box>
      <Box data-folds>{content()}</Box>
    </Box>
  )

  async function handleRefresh() {
    const { isError, data } = await pings.refetch()
    // Without pins, the error is shown in their place.
    if (isError && data !== undefined) showError(t('pings.loadFailed'))
  }

  function content(): ReactNode {
    if (pings.isPending) return <PingRowsSkeleton label={t('pings.loadingPings')} />
    if (pings.isError && pings.data === undefined) {
      return (
        <Box sx={{ px: 2, pb: 2 }}>
          <ErrorAlert
            message={t('pings.loadFailed')}
            onRetry={() => void pings.refetch()}
            isRetrying={pings.isFetching}
          />
        </Box>
      )
    }
    if (shared.length === 0) return empty
    return (
      <>
        <List disablePadding aria-labelledby={`${id}-title`}>
          <Rows pings={first} nowMs={nowMs} viewer={viewer} startsList onOpen={onOpen} />
        </List>
        {second.length > 0 && (
          <>
            <Typography id={`${id}-elsewhere`} component="h3" variant="subtitle2" sx={{ px: 2, pt: 1.5, pb: 0.5 }}>
              {t('pings.elsewhere')}
            </Typography>
            <List disablePadding aria-labelledby={`${id}-elsewhere`}>
              <Rows pings={second} nowMs={nowMs} viewer={viewer} onOpen={onOpen} />
            </List>
          </>
        )}
      </>
    )
  }
}

const firstRows = 20

interface RowsProps {
  pings: readonly Ping[]
  nowMs: number
  viewer: User
  /** Whether the first row is visible at the lowest stop of the sheet. */
  startsList?: boolean
  onOpen: (ping: Ping) => void
}

/** Renders the first rows at once and the rest, possibly hundreds, in a deferred render. */
function Rows({ pings, nowMs, viewer, startsList = false, onOpen }: RowsProps) {
  const areAllShown = useDeferredValue(true, false)
  const shown = areAllShown ? pings : pings.slice(0, firstRows)
  return shown.map((ping, index) => (
    <PingRow
      key={ping.id}
      ping={ping}
      status={statusAt(ping, nowMs)}
      viewer={viewer}
      canRespond={ping.can_respond && statusAt(ping, nowMs) !== 'expired'}
      isFirst={startsList && index === 0}
      onOpen={onOpen}
    />
  ))
}
