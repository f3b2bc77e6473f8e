import type { Conversation, Participant } from '@hither/contract/messages/messages.ts'
import type { User } from '@hither/contract/users.ts'
import CloseRounded from '@mui/icons-material/CloseRounded'
import PersonAddAlt1Rounded from '@mui/icons-material/PersonAddAlt1Rounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogTitle from '@mui/material/DialogTitle'
import IconButton from '@mui/material/IconButton'
import { useId, useState } from 'react'
import { Virtualizer } from 'virtua'
import { t } from '../../i18n/translate.ts'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { useRemoveParticipant } from '../conversations.mutations.ts'
import { AddParticipantDialog } from './AddParticipantDialog.tsx'
import { isAdmin } from './membership.ts'
import { ParticipantRow } from './ParticipantRow.tsx'

interface Props {
  open: boolean
  conversation: Conversation
  viewer: User
  onClose: () => void
}

export function ParticipantsDialog({ open, conversation, viewer, onClose }: Props) {
  const titleId = useId()
  const removal = useRemoveParticipant(conversation.id)
  const { showError } = useSnackbar()
  const [isAdding, setIsAdding] = useState(false)
  const canManage = isAdmin(conversation, viewer.id)

  function handleRemove({ user_id }: Participant) {
    removal.mutateAsync(user_id).catch(() => showError(t('chat.removeFailed')))
  }

  return (
    <>
      <Dialog open={open} onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={titleId}>
        <DialogTitle id={titleId} sx={{ paddingInlineEnd: 8 }}>
          {t('chat.conversation.participants')}
        </DialogTitle>
        <IconButton title={t('ui.close')} onClick={onClose} sx={{ position: 'absolute', top: 16, insetInlineEnd: 16 }}>
          <CloseRounded />
        </IconButton>
        <Box
          role="group"
          aria-labelledby={titleId}
          tabIndex={0}
          sx={{
            overflowY: 'auto',
            maxHeight: 480,
            px: 1,
            '& ul': { listStyle: 'none', m: 0, p: 0 },
            // The virtual list ignores taps for a moment after each movement.
            '& ul > li': { pointerEvents: 'auto' },
          }}
        >
          <Virtualizer as="ul" item="li" data={conversation.participants}>
            {(participant) => (
              <ParticipantRow
                key={participant.user_id}
                participant={participant}
                isViewer={participant.user_id === viewer.id}
                isRemoving={removal.isPending && removal.variables === participant.user_id}
                onRemove={canManage && participant.user_id !== viewer.id ? () => handleRemove(participant) : null}
              />
            )}
          </Virtualizer>
        </Box>
        <Box sx={{ p: 2 }}>
          {canManage && (
            <Button variant="outlined" fullWidth startIcon={<PersonAddAlt1Rounded />} onClick={() => setIsAdding(true)}>
              {t('chat.conversation.add')}
            </Button>
          )}
        </Box>
      </Dialog>
      <AddParticipantDialog open={isAdding} conversation={conversation} onClose={() => setIsAdding(false)} />
    </>
  )
}
