import type { Conversation } from '@hither/contract/messages/messages.ts'
import type { User } from '@hither/contract/users.ts'
import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded'
import EditRounded from '@mui/icons-material/EditRounded'
import LogoutRounded from '@mui/icons-material/LogoutRounded'
import MoreVertRounded from '@mui/icons-material/MoreVertRounded'
import NotificationsNoneRounded from '@mui/icons-material/NotificationsNoneRounded'
import NotificationsOffOutlined from '@mui/icons-material/NotificationsOffOutlined'
import SearchRounded from '@mui/icons-material/SearchRounded'
import IconButton from '@mui/material/IconButton'
import ListItemIcon from '@mui/material/ListItemIcon'
import MenuItem from '@mui/material/MenuItem'
import { useState } from 'react'
import { mirrored } from '../../i18n/language.ts'
import { t } from '../../i18n/translate.ts'
import { MuteDialog } from '../../notifications/settings/MuteDialog.tsx'
import { useMute } from '../../notifications/settings/use-mute.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { lazyComponent } from '../../ui/lazy.tsx'
import { Menu } from '../../ui/overlays/Menu.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { nameOf } from '../conversation-name.ts'
import { useLeaveConversation } from '../conversations.mutations.ts'
import { isAdmin } from '../participants/membership.ts'
import { DeleteGroupDialog } from './DeleteGroupDialog.tsx'

const ChatSearchDialog = lazyComponent(async () => (await import('../search/ChatSearchDialog.tsx')).ChatSearchDialog)

interface Props {
  conversation: Conversation
  viewer: User
  onRename: () => void
  /** Closes the conversation, because it is about to be deleted. */
  onClose: () => void
}

export function OptionsMenu({ conversation, viewer, onRename, onClose }: Props) {
  const leaving = useLeaveConversation(conversation.id)
  const { showError } = useSnackbar()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [isRenaming, setIsRenaming] = useState(false)
  const canManage = isAdmin(conversation, viewer.id)
  const [openDialog, setOpenDialog] = useState<'search' | 'mute' | 'leave' | 'delete' | null>(null)
  const { isMuted, unmute } = useMute(conversation.id)

  function handleMute() {
    if (!isMuted) return handleChoice('mute')
    setAnchor(null)
    unmute()
  }

  function handleChoice(choice: 'search' | 'mute' | 'leave' | 'delete') {
    setAnchor(null)
    setOpenDialog(choice)
  }

  function handleRename() {
    setIsRenaming(true)
    setAnchor(null)
  }

  function handleExited() {
    if (isRenaming) onRename()
    setIsRenaming(false)
  }

  function handleLeave() {
    leaving.mutate(undefined, { onSuccess: onClose, onError: () => showError(t('chat.leaveFailed')) })
    setOpenDialog(null)
  }

  return (
    <>
      <IconButton
        title={t('chat.conversation.options')}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <MoreVertRounded />
      </IconButton>
      {/* The rename field that replaces the title sets the focus itself. */}
      <Menu
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        disableRestoreFocus={isRenaming}
        slotProps={{ transition: { onExited: handleExited } }}
      >
        <MenuItem onClick={() => handleChoice('search')}>
          <ListItemIcon>
            <SearchRounded fontSize="small" />
          </ListItemIcon>
          {t('chat.search.inChat')}
        </MenuItem>
        <MenuItem onClick={handleMute}>
          <ListItemIcon>
            {isMuted ? <NotificationsNoneRounded fontSize="small" /> : <NotificationsOffOutlined fontSize="small" />}
          </ListItemIcon>
          {isMuted ? t('notifications.mute.unmute') : t('notifications.mute.mute')}
        </MenuItem>
        {canManage && (
          <MenuItem onClick={handleRename}>
            <ListItemIcon>
              <EditRounded fontSize="small" />
            </ListItemIcon>
            {t('chat.conversation.rename')}
          </MenuItem>
        )}
        {canManage && (
          <MenuItem onClick={() => handleChoice('delete')} sx={{ color: 'error.main' }}>
            <ListItemIcon sx={{ color: 'inherit' }}>
              <DeleteOutlineRounded fontSize="small" />
            </ListItemIcon>
            {t('chat.conversation.deleteGroup')}
          </MenuItem>
        )}
        {conversation.type === 'group' && (
          <MenuItem onClick={() => handleChoice('leave')}>
            <ListItemIcon>
              <LogoutRounded sx={mirrored} fontSize="small" />
            </ListItemIcon>
            {t('chat.conversation.leaveGroup')}
          </MenuItem>
        )}
      </Menu>
      <ChatSearchDialog
        open={openDialog === 'search'}
        conversationId={conversation.id}
        onClose={() => setOpenDialog(null)}
      />
      <MuteDialog open={openDialog === 'mute'} conversationId={conversation.id} onClose={() => setOpenDialog(null)} />
      <ConfirmDialog
        open={openDialog === 'leave'}
        title={t('chat.conversation.leaveTitle')}
        text={t('chat.conversation.leaveText', { name: nameOf(conversation) })}
        confirmLabel={t('chat.conversation.leaveGroup')}
        onConfirm={handleLeave}
        onClose={() => setOpenDialog(null)}
      />
      <DeleteGroupDialog
        open={openDialog === 'delete'}
        conversation={conversation}
        onClose={() => setOpenDialog(null)}
        onDeleted={onClose}
      />
    </>
  )
}
