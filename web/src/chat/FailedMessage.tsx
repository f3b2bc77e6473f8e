import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { type Outgoing, retryOutgoing, takeOutOfOutbox } from './outbox.ts'
import { chatStrings, messageStrings } from './strings.ts'

/** Below a message that the server refused: why, and what to do. */
export function FailedMessage({ message }: { message: Outgoing }) {
  const { client_id, reason = chatStrings.sendFailed } = message
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', justifyContent: 'flex-end', pt: 0.25 }}>
      <Box component="span" sx={{ fontSize: '0.8125rem', color: 'error.main' }}>
        {messageStrings.notSent(reason)}
      </Box>
      <Button size="small" sx={{ px: 1, minWidth: 0 }} onClick={() => retryOutgoing(client_id)}>
        {messageStrings.retry}
      </Button>
      <Button size="small" color="error" sx={{ px: 1, minWidth: 0 }} onClick={() => takeOutOfOutbox(client_id)}>
        {messageStrings.discard}
      </Button>
    </Box>
  )
}
