import { type Conversation } from '@hither/contract/messages.ts'
import { type User } from '@hither/contract/users.ts'
import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded'
import EditRounded from '@mui/icons-material/EditRounded'
import LogoutRounded from '@mui/icons-material/LogoutRounded'
import MoreVertRounded from '@mui/icons-material/MoreVertRounded'
import NotificationsNoneRounded from '@mui/icons-material/NotificationsNoneRounded'
import NotificationsOffOutlined from '@mui/icons-material/NotificationsOffOutlined'
import IconButton from '@mui/material/IconButton'
import ListItemIcon from '@mui/material/ListItemIcon'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { useState } from 'react'
import { MuteDialog } from '../notifications/MuteDialog.tsx'
import { muteStrings } from '../notifications/strings.ts'
import { useMute } from '../notifications/use-mute.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { useLeaveConversation } from './chat.api.ts'
import { nameOf } from './conversation-name.ts'
import { DeleteGroupDialog } from './DeleteGroupDialog.tsx'
import { isAdmin } from './membership.ts'
import { chatStrings, conversationStrings } from './strings.ts'

interface Props {
  conversation: Conversation
  viewer: User
  onRename: () => void
  /** Closes the conversation, which is about to be no more. */
  onClose: () => void
}

export function OptionsMenu({ conversation, viewer, onRename, onClose }: Props) {
  const leaving = useLeaveConversation(conversation.id)
  const { showError } = useSnackbar()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [isRenaming, setIsRenaming] = useState(false)
  const canManage = isAdmin(conversation, viewer.id)
  const [asked, setAsked] = useState<'mute' | 'leave' | 'delete' | null>(null)
  const { isMuted, unmute } = useMute(conversation.id)

  function handleMute() {
    if (!isMuted) return handleChoice('mute')
    setAnchor(null)
    unmute()
  }

  function handleChoice(choice: 'mute' | 'leave' | 'delete') {
    setAnchor(null)
    setAsked(choice)
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
    leaving.mutate(undefined, { onSuccess: onClose, onError: () => showError(chatStrings.leaveFailed) })
    setAsked(null)
  }

  return (
    <>
      <IconButton
        title={conversationStrings.options}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <MoreVertRounded />
      </IconButton>
      {/* The field that takes the title's place asks for the focus itself. */}
      <Menu
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        disableRestoreFocus={isRenaming}
        slotProps={{ transition: { onExited: handleExited } }}
      >
        <MenuItem onClick={handleMute}>
          <ListItemIcon>
            {isMuted ? <NotificationsNoneRounded fontSize="small" /> : <NotificationsOffOutlined fontSize="small" />}
          </ListItemIcon>
          {isMuted ? muteStrings.unmute : muteStrings.mute}
        </MenuItem>
        {canManage && (
          <MenuItem onClick={handleRename}>
            <ListItemIcon>
              <EditRounded fontSize="small" />
            </ListItemIcon>
            {conversationStrings.rename}
          </MenuItem>
        )}
        {canManage && (
          <MenuItem onClick={() => handleChoice('delete')} sx={{ color: 'error.main' }}>
            <ListItemIcon sx={{ color: 'inherit' }}>
              <DeleteOutlineRounded fontSize="small" />
            </ListItemIcon>
            {conversationStrings.deleteGroup}
          </MenuItem>
        )}
        {conversation.type === 'group' && (
          <MenuItem onClick={() => handleChoice('leave')}>
            <ListItemIcon>
              <LogoutRounded fontSize="small" />
            </ListItemIcon>
            {conversationStrings.leaveGroup}
          </MenuItem>
        )}
      </Menu>
      <MuteDialog open={asked === 'mute'} conversationId={conversation.id} onClose={() => setAsked(null)} />
      <ConfirmDialog
        open={asked === 'leave'}
        title={conversationStrings.leaveTitle}
        text={conversationStrings.leaveText(nameOf(conversation))}
        confirmLabel={conversationStrings.leaveGroup}
        onConfirm={handleLeave}
        onClose={() => setAsked(null)}
      />
      <DeleteGroupDialog
        open={asked === 'delete'}
        conversation={conversation}
        onClose={() => setAsked(null)}
        onDeleted={onClose}
      />
    </>
  )
}
