import type { UserId } from '@hither/contract/ids.ts'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { t } from '../../i18n/translate.ts'
import { type Outgoing, removeFromOutbox, retryOutgoing } from '../outbox/message-outbox.ts'
import { isPhoto } from '../outbox/outgoing.ts'
import { removePhotoFromOutbox, retryPhoto } from '../outbox/photo-outbox.ts'

/** Shown below a message that the server refused, with the reason and the actions. */
export function FailedMessage({ message, viewerId }: { message: Outgoing; viewerId: UserId }) {
  const { client_id, reason = t('chat.sendFailed') } = message
  const isOfPhoto = isPhoto(message)
  const retry = isOfPhoto ? retryPhoto : retryOutgoing
  const remove = isOfPhoto ? removePhotoFromOutbox : removeFromOutbox
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', justifyContent: 'flex-end', pt: 0.25 }}>
      <Box component="span" sx={{ fontSize: '0.8125rem', color: 'error.main' }}>
        {isOfPhoto ? `${t('chat.photo.notSent')} ${reason}` : t('chat.message.notSent', { reason })}
      </Box>
      <Button size="small" sx={{ px: 1, minWidth: 0 }} onClick={() => void retry(viewerId, client_id)}>
        {t('chat.message.retry')}
      </Button>
      <Button size="small" color="error" sx={{ px: 1, minWidth: 0 }} onClick={() => void remove(viewerId, client_id)}>
        {t('chat.message.discard')}
      </Button>
    </Box>
  )
}
