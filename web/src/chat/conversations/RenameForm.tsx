import type { Conversation } from '@hither/contract/messages/messages.ts'
import { messageLimits } from '@hither/contract/runtime/messages/messages.ts'
import CheckRounded from '@mui/icons-material/CheckRounded'
import CloseRounded from '@mui/icons-material/CloseRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import { type KeyboardEvent, type SubmitEvent, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { pressedKey } from '../../ui/pressed-key.ts'
import { TextField } from '../../ui/TextField.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { useRenameConversation } from '../conversations.mutations.ts'

interface Props {
  conversation: Conversation
  onDone: () => void
}

/** Replaces the title with a field. A blank name cannot be saved. */
export function RenameForm({ conversation, onDone }: Props) {
  const renaming = useRenameConversation(conversation.id)
  const { showError } = useSnackbar()
  const [name, setName] = useState(conversation.name ?? '')
  const isBlank = name.trim() === ''

  function handleSubmit(event: SubmitEvent) {
    event.preventDefault()
    if (isBlank || renaming.isPending) return
    if (name.trim() === conversation.name) return onDone()
    renaming.mutate(name.trim(), { onSuccess: onDone, onError: () => showError(t('chat.renameFailed')) })
  }

  function handleKey(event: KeyboardEvent) {
    if (pressedKey(event) === 'Escape') onDone()
  }

  return (
    <Box component="form" onSubmit={handleSubmit} sx={{ flex: 1, minWidth: 0, display: 'flex', alignItems: 'center' }}>
      <TextField
        size="small"
        value={name}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={handleKey}
        placeholder={t('chat.conversation.newName')}
        autoFocus
        fullWidth
        autoComplete="off"
        slotProps={{
          htmlInput: { 'aria-label': t('chat.conversation.newName'), maxLength: messageLimits.groupNameMax },
        }}
      />
      <IconButton
        type="submit"
        color="primary"
        title={t('chat.conversation.save')}
        aria-disabled={isBlank}
        aria-busy={renaming.isPending}
        sx={{ opacity: isBlank || renaming.isPending ? 0.4 : 1 }}
      >
        <CheckRounded />
      </IconButton>
      <IconButton title={t('ui.cancel')} onClick={onDone}>
        <CloseRounded />
      </IconButton>
    </Box>
  )
}
