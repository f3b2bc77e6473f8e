import type { UserId } from '@hither/contract/ids.ts'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { newId } from '../../device/ids.ts'
import { t } from '../../i18n/translate.ts'
import { type SendState, type WaitingPing, withRetriedPing } from './outbox.rules.ts'
import { discardWaiting, waitingPings } from './ping-outbox.ts'

interface Props {
  ping: WaitingPing
  sendState: SendState
  ownerId: UserId
  onEdit: (ping: WaitingPing) => void
}

/** The actions for a ping that is not sent yet. */
export function WaitingPingActions({ ping, sendState, ownerId, onEdit }: Props) {
  const { client_id } = ping

  function handleAgain() {
    const again = { client_id: newId(), nowMs: Date.now() }
    void waitingPings.edit(ownerId, (pings) => withRetriedPing(pings, client_id, again))
  }

  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 0.5, marginInlineStart: -1 }}>
      {(sendState === 'expired' || sendState === 'refused') && (
        <Button size="small" onClick={handleAgain} sx={{ px: 1, minHeight: 44 }}>
          {sendState === 'expired' ? t('pings.waiting.dropAgain') : t('pings.waiting.tryAgain')}
        </Button>
      )}
      {sendState === 'refused' && (
        <Button size="small" onClick={() => onEdit(ping)} sx={{ px: 1, minHeight: 44 }}>
          {t('pings.waiting.edit')}
        </Button>
      )}
      <Button
        size="small"
        color="error"
        onClick={() => void discardWaiting(ownerId, client_id)}
        sx={{ px: 1, minHeight: 44 }}
      >
        {t('pings.waiting.discard')}
      </Button>
    </Box>
  )
}
