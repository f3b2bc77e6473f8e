import { type Ping, pingLimits } from '@hither/contract/pings.ts'
import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded'
import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import ButtonBase from '@mui/material/ButtonBase'
import Collapse from '@mui/material/Collapse'
import IconButton from '@mui/material/IconButton'
import List from '@mui/material/List'
import ListItem from '@mui/material/ListItem'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useServerNow } from '../api/server-time.ts'
import { useSession } from '../auth/session.ts'
import { ErrorAlert } from '../ui/ErrorAlert.tsx'
import { late } from '../ui/late.tsx'
import { PingRow } from './PingRow.tsx'
import { PingRowsSkeleton } from './PingRowsSkeleton.tsx'
import { isTemporary } from './ping-changes.ts'
import { useWaitingPings } from './ping-outbox.ts'
import { myPingsQuery, useMoreMyPings } from './pings.api.ts'
import { countByStatus, orderMine, statusAt } from './pings.rules.ts'
import { pingStrings, waitingStrings } from './strings.ts'
import { WaitingPingRow } from './WaitingPingRow.tsx'
import { type WaitingPing } from './waiting.rules.ts'
import { countWords } from './waiting-words.ts'

const DeletePingDialog = late(async () => (await import('./DeletePingDialog.tsx')).DeletePingDialog)

interface Props {
  isExpanded: boolean
  onToggle: () => void
  onOpen: (ping: Ping) => void
  /** Of one that was refused: begin it again with what was typed. */
  onEdit: (ping: WaitingPing) => void
}

/** One's own pins, folded into a line that says how many there are. */
export function MyPins({ isExpanded, onToggle, onOpen, onEdit }: Props) {
  const { user } = useSession()
  const waiting = useWaitingPings()
  const pings = useQuery(myPingsQuery())
  const more = useMoreMyPings()
  const hasMore = more.data ?? (pings.data?.length ?? 0) >= pingLimits.ownPageMax
  const nowMs = useServerNow(1000)
  const id = useId()
  const [leaving, setLeaving] = useState<Ping | null>(null)
  const [isAsking, setIsAsking] = useState(false)
  const { active, pending } = countByStatus(pings.data ?? [], nowMs)
  const current = active + pending === 0 ? pingStrings.noCurrentPins : pingStrings.summary(active, pending)

  return (
    <Box component="section" aria-labelledby={`${id}-title`}>
      <Box component="h2" sx={{ m: 0 }}>
        <ButtonBase
          aria-expanded={isExpanded}
          aria-controls={`${id}-list`}
          onClick={onToggle}
          sx={{ width: '100%', minHeight: 60, px: 2, py: 1, gap: 1, justifyContent: 'flex-start', textAlign: 'left' }}
        >
          <Box component="span" sx={{ flex: 1, minWidth: 0 }}>
            <Typography
              id={`${id}-title`}
              component="span"
              variant="subtitle1"
              sx={{ display: 'block', lineHeight: 1.25, fontWeight: 700 }}
            >
              {pingStrings.myPins}
            </Typography>
            <Typography component="span" variant="body2" color="textSecondary" noWrap sx={{ display: 'block' }}>
              {[current, countWords(waiting, Date.now())].filter(Boolean).join(' · ')}
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
        {user && waiting.length > 0 && (
          <List disablePadding aria-label={waitingStrings.waiting}>
            {waiting.map((ping) => (
              <WaitingPingRow key={ping.client_id} ping={ping} owner={user} nowMs={Date.now()} onEdit={onEdit} />
            ))}
          </List>
        )}
        {pings.isPending ? (
          <PingRowsSkeleton label={pingStrings.loadingPings} />
        ) : pings.isError && pings.data === undefined ? (
          <Box sx={{ px: 2, pb: 2 }}>
            <ErrorAlert
              message={pingStrings.loadMineFailed}
              onRetry={() => void pings.refetch()}
              isRetrying={pings.isFetching}
            />
          </Box>
        ) : pings.data.length === 0 && waiting.length > 0 ? null : pings.data.length === 0 ? (
          <Typography color="textSecondary" sx={{ px: 2, pb: 2 }}>
            {pingStrings.noneCreated}
          </Typography>
        ) : (
          <List disablePadding aria-labelledby={`${id}-title`} sx={{ pb: 1 }}>
            {orderMine(pings.data, nowMs).map((ping) => (
              <PingRow
                key={ping.id}
                ping={ping}
                status={statusAt(ping, nowMs)}
                onOpen={onOpen}
                action={
                  !isTemporary(ping.id) && (
                    <IconButton
                      aria-label={pingStrings.deletePing(ping.name)}
                      onClick={() => {
                        setLeaving(ping)
                        setIsAsking(true)
                      }}
                      sx={{ alignSelf: 'center', mr: 1 }}
                    >
                      <DeleteOutlineRounded fontSize="small" />
                    </IconButton>
                  )
                }
              />
            ))}
            {hasMore && (
              <ListItem disablePadding>
                <Button fullWidth disabled={more.isPending} onClick={() => more.mutate()} sx={{ minHeight: 48 }}>
                  {more.isError ? pingStrings.retryMore : pingStrings.showMore}
                </Button>
              </ListItem>
            )}
          </List>
        )}
      </Collapse>
      <DeletePingDialog open={isAsking} ping={leaving} onClose={() => setIsAsking(false)} />
    </Box>
  )
}
