import { type UserId } from '@hither/contract/ids.ts'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { discardWaiting, waitingPings } from './ping-outbox.ts'
import { waitingStrings } from './strings.ts'
import { type Standing, type WaitingPing, withPingAgain } from './waiting.rules.ts'

interface Props {
  ping: WaitingPing
  standing: Standing
  ownerId: UserId
  onEdit: (ping: WaitingPing) => void
}

/** What can be done about a pin that is not sent yet. */
export function WaitingPingActions({ ping, standing, ownerId, onEdit }: Props) {
  const { client_id } = ping

  function handleAgain() {
    const again = { client_id: crypto.randomUUID(), nowMs: Date.now() }
    void waitingPings.edit(ownerId, (pings) => withPingAgain(pings, client_id, again))
  }

  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 0.5, ml: -1 }}>
      {(standing === 'late' || standing === 'refused') && (
        <Button size="small" onClick={handleAgain} sx={{ px: 1, minHeight: 44 }}>
          {standing === 'late' ? waitingStrings.dropAgain : waitingStrings.tryAgain}
        </Button>
      )}
      {standing === 'refused' && (
        <Button size="small" onClick={() => onEdit(ping)} sx={{ px: 1, minHeight: 44 }}>
          {waitingStrings.edit}
        </Button>
      )}
      <Button
        size="small"
        color="error"
        onClick={() => void discardWaiting(ownerId, client_id)}
        sx={{ px: 1, minHeight: 44 }}
      >
        {waitingStrings.discard}
      </Button>
    </Box>
  )
}
