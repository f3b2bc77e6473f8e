import type { Conversation } from '@hither/contract/messages/messages.ts'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import FormControlLabel from '@mui/material/FormControlLabel'
import { useId, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { nameOf } from '../conversation-name.ts'
import { useDeleteConversation } from '../conversations.mutations.ts'

interface Props {
  open: boolean
  conversation: Conversation
  onClose: () => void
  onDeleted: () => void
}

export function DeleteGroupDialog({ open, conversation, onClose, onDeleted }: Props) {
  const id = useId()
  const deletion = useDeleteConversation(conversation.id)
  const { showError } = useSnackbar()
  const [isSure, setIsSure] = useState(false)

  function handleClose() {
    setIsSure(false)
    onClose()
  }

  function handleDelete() {
    deletion.mutate(undefined, {
      onSuccess: onDeleted,
      onError: () => {
        handleClose()
        showError(t('chat.deleteFailed'))
      },
    })
  }

  return (
    <Dialog
      open={open}
      onClose={handleClose}
      maxWidth="xs"
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
    >
      <DialogTitle id={`${id}-title`}>{t('chat.conversation.deleteTitle')}</DialogTitle>
      <DialogContent>
        <DialogContentText id={`${id}-text`} sx={{ overflowWrap: 'anywhere' }}>
          {t('chat.conversation.deleteText', { name: nameOf(conversation) })}
        </DialogContentText>
        <FormControlLabel
          control={<Checkbox checked={isSure} onChange={(_event, checked) => setIsSure(checked)} />}
          label={t('chat.conversation.deleteCheck')}
          sx={{ mt: 2, alignItems: 'flex-start', overflowWrap: 'anywhere', '& .MuiCheckbox-root': { mt: -1 } }}
        />
      </DialogContent>
      <DialogActions>
        <Button onClick={handleClose} autoFocus>
          {t('ui.cancel')}
        </Button>
        <Button
          variant="contained"
          color="error"
          disabled={!isSure}
          loading={deletion.isPending}
          onClick={handleDelete}
        >
          {t('chat.conversation.deleteGroup')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
