import type { Conversation } from '@hither/contract/messages/messages.ts'
import CloseRounded from '@mui/icons-material/CloseRounded'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import IconButton from '@mui/material/IconButton'
import { useId } from 'react'
import { t } from '../../i18n/translate.ts'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { FriendsToAdd } from './FriendsToAdd.tsx'

interface Props {
  open: boolean
  conversation: Conversation
  onClose: () => void
}

export function AddParticipantDialog({ open, conversation, onClose }: Props) {
  const titleId = useId()
  return (
    <Dialog open={open} onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={titleId}>
      <DialogTitle id={titleId} sx={{ paddingInlineEnd: 8 }}>
        {t('chat.conversation.add')}
      </DialogTitle>
      <IconButton title={t('ui.close')} onClick={onClose} sx={{ position: 'absolute', top: 16, insetInlineEnd: 16 }}>
        <CloseRounded />
      </IconButton>
      <DialogContent sx={{ px: 2, pb: 2 }}>
        <FriendsToAdd conversation={conversation} />
      </DialogContent>
    </Dialog>
  )
}
