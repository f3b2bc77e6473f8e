import type { OwnPing, Ping } from '@hither/contract/pings.ts'
import { pageMax } from '@hither/contract/runtime/pages.ts'
import type { User } from '@hither/contract/users.ts'
import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import ButtonBase from '@mui/material/ButtonBase'
import Collapse from '@mui/material/Collapse'
import List from '@mui/material/List'
import ListItem from '@mui/material/ListItem'
import Typography from '@mui/material/Typography'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useServerNow } from '../../api/server-time.ts'
import { t } from '../../i18n/translate.ts'
import { ErrorAlert } from '../../ui/ErrorAlert.tsx'
import { lazyComponent } from '../../ui/lazy.tsx'
import type { WaitingPing } from '../outbox/outbox.rules.ts'
import { useWaitingPings } from '../outbox/ping-outbox.ts'
import { WaitingPingRow } from '../outbox/WaitingPingRow.tsx'
import { waitingCountText } from '../outbox/waiting-text.ts'
import { isTemporary } from '../ping-changes.ts'
import { loadMoreMyPings, myPingsQuery } from '../pings.api.ts'
import { countByStatus, countGoing, orderMine, statusAt } from '../pings.rules.ts'
import { OwnRowActions } from './OwnRowActions.tsx'
import { PingRow } from './PingRow.tsx'
import { PingRowsSkeleton } from './PingRowsSkeleton.tsx'

const DeletePingDialog = lazyComponent(async () => (await import('../view/DeletePingDialog.tsx')).DeletePingDialog)

interface Props {
  viewer: User
  isExpanded: boolean
  onToggle: () => void
  onOpen: (ping: Ping) => void
  /** Called for a refused ping: opens the form with everything that was entered. */
  onEdit: (ping: WaitingPing) => void
}

/** The viewer's own pings, collapsed to a line with their number. */
export function MyPins({ viewer, isExpanded, onToggle, onOpen, onEdit }: Props) {
  const waiting = useWaitingPings()
  const pings = useQuery(myPingsQuery())
  const queryClient = useQueryClient()
  const more = useMutation({ mutationFn: () => loadMoreMyPings(queryClient) })
  const hasMore = more.data ?? (pings.data?.length ?? 0) >= pageMax
  const nowMs = useServerNow(1000)
  const id = useId()
  const [leaving, setLeaving] = useState<OwnPing | null>(null)
  const [isAsking, setIsAsking] = useState(false)
  const { active, pending } = countByStatus(pings.data ?? [], nowMs)
  const current = active + pending === 0 ? t('pings.noCurrentPins') : t('pings.summary', { active, pending })
  const deleted = pings.data?.find(({ id }) => id === leaving?.id) ?? leaving
  const going = countAllGoing(pings.data ?? [], nowMs)

  return (
    <Box component="section" aria-labelledby={`${id}-title`}>
      <Box component="h2" sx={{ m: 0 }}>
        <ButtonBase
          aria-expanded={isExpanded}
          aria-controls={`${id}-list`}
          onClick={onToggle}
          sx={{
            width: '100%',
            minHeight: 56,
            px: 2,
            py: 0.75,
            gap: 1,
            justifyContent: 'flex-start',
            textAlign: 'start',
          }}
        >
          <Box component="span" sx={{ flex: 1, minWidth: 0 }}>
            <Typography
              id={`${id}-title`}
              component="span"
              variant="subtitle1"
              sx={{ display: 'block', lineHeight: 1.25, fontWeight: 700 }}
            >
              {t('pings.myPins')}
            </Typography>
            <Typography component="span" variant="body2" color="textSecondary" noWrap sx={{ display: 'block' }}>
              {[current, going > 0 && t('pings.going', { count: going }), waitingCountText(waiting, Date.now())]
                .filter(Boolean)
                .join(' · ')}
            </Typography>
          </Box>
          <ExpandMoreRounded
            aria-hidden
            sx={{
              color: 'text.secondary',
              rotate: isExpanded ? '180deg' : '0deg',
              transition: 'rotate 180ms ease-out',
            }}
          />
        </ButtonBase>
      </Box>
      <Collapse in={isExpanded} id={`${id}-list`} unmountOnExit data-folds>
        {waiting.length > 0 && (
          <List disablePadding aria-label={t('pings.waiting.waiting')}>
            {waiting.map((ping) => (
              <WaitingPingRow key={ping.client_id} ping={ping} owner={viewer} nowMs={Date.now()} onEdit={onEdit} />
            ))}
          </List>
        )}
        {pings.isPending ? (
          <PingRowsSkeleton label={t('pings.loadingPings')} />
        ) : pings.isError && pings.data === undefined ? (
          <Box sx={{ px: 2, pb: 2 }}>
            <ErrorAlert
              message={t('pings.loadMineFailed')}
              onRetry={() => void pings.refetch()}
              isRetrying={pings.isFetching}
            />
          </Box>
        ) : pings.data.length === 0 && waiting.length > 0 ? null : pings.data.length === 0 ? (
          <Typography color="textSecondary" sx={{ px: 2, pb: 2 }}>
            {t('pings.noneCreated')}
          </Typography>
        ) : (
          <List disablePadding aria-labelledby={`${id}-title`} sx={{ pb: 1 }}>
            {orderMine(pings.data, nowMs).map((ping) => (
              <PingRow
                key={ping.id}
                ping={ping}
                status={statusAt(ping, nowMs)}
                viewer={viewer}
                onOpen={onOpen}
                action={
                  !isTemporary(ping.id) && (
                    <OwnRowActions
                      ping={ping}
                      onDelete={() => {
                        setLeaving(ping)
                        setIsAsking(true)
                      }}
                    />
                  )
                }
              />
            ))}
            {hasMore && (
              <ListItem disablePadding>
                <Button fullWidth disabled={more.isPending} onClick={() => more.mutate()} sx={{ minHeight: 48 }}>
                  {more.isError ? t('pings.retryMore') : t('pings.showMore')}
                </Button>
              </ListItem>
            )}
          </List>
        )}
      </Collapse>
      <DeletePingDialog open={isAsking} ping={deleted} onClose={() => setIsAsking(false)} />
    </Box>
  )
}

/** Returns the number of people who are going to the unexpired pings. */
function countAllGoing(pings: readonly Ping[], nowMs: number): number {
  return pings.reduce((sum, ping) => sum + (statusAt(ping, nowMs) === 'expired' ? 0 : countGoing(ping)), 0)
}
