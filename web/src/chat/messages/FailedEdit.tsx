import type { UserId } from '@hither/contract/ids.ts'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { t } from '../../i18n/translate.ts'
import { removeFromOutbox } from '../outbox/message-outbox.ts'
import type { OutgoingEdit } from '../outbox/outbox-items.ts'

/** Shown below a message whose new text the server refused, for example because it was sent too late. */
export function FailedEdit({ edit, viewerId }: { edit: OutgoingEdit; viewerId: UserId }) {
  const { client_id, content, reason = t('chat.editFailed') } = edit
  return (
    <Box sx={{ display: 'grid', justifyItems: 'end', pt: 0.25, fontSize: '0.8125rem', textAlign: 'end' }}>
      <Box role="alert" sx={{ color: 'error.main' }}>
        {t('chat.message.notSaved', { reason })}
      </Box>
      <Box
        dir="auto"
        sx={{ maxWidth: '76%', color: 'text.secondary', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      >
        {content}
      </Box>
      <Button size="small" color="error" onClick={() => void removeFromOutbox(viewerId, client_id)}>
        {t('chat.message.discard')}
      </Button>
    </Box>
  )
}
