import type { UserId } from '@hither/contract/ids.ts'
import type { Conversation } from '@hither/contract/messages/messages.ts'
import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { useIsMutating } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { isKeptNoticeRead, keepKey, noteKeptNoticeRead } from './keep.mutations.ts'

interface Props {
  conversation: Conversation
  viewerId: UserId
}

/** Tells a member once that the chat stays, because they may have written in the belief that it ends. */
export function KeptNotice({ conversation: { id, kept_at }, viewerId }: Props) {
  const [isRead, setIsRead] = useState(false)
  // The live row may arrive before the response to the viewer's own request.
  const isKeeping = useIsMutating({ mutationKey: keepKey(id) }) > 0
  if (kept_at === null || isRead || isKeeping || isKeptNoticeRead(viewerId, id)) return null

  function handleRead() {
    noteKeptNoticeRead(viewerId, id)
    setIsRead(true)
  }

  return (
    <Alert
      role="status"
      severity="info"
      square
      action={
        <Button color="inherit" onClick={handleRead}>
          {t('chat.date.ok')}
        </Button>
      }
      sx={{ flexShrink: 0, alignItems: 'center', px: 'max(16px, var(--sal))', borderTop: 1, borderColor: 'divider' }}
    >
      {t('chat.date.keptNotice')}
    </Alert>
  )
}
