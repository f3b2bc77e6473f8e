import { type Conversation, type Message } from '@hither/contract/messages.ts'
import { type User } from '@hither/contract/users.ts'
import ContentCopyRounded from '@mui/icons-material/ContentCopyRounded'
import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded'
import FlagOutlined from '@mui/icons-material/FlagOutlined'
import ListItemIcon from '@mui/material/ListItemIcon'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { useState } from 'react'
import { ReportDialog } from '../moderation/ReportDialog.tsx'
import { reportStrings } from '../moderation/strings.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { useDeleteMessage } from './chat.api.ts'
import { isAdmin } from './membership.ts'
import { messageStrings } from './strings.ts'

interface Props {
  menu: { anchor: HTMLElement; message: Message } | null
  conversation: Conversation
  viewer: User
  onClose: () => void
}

/** What can be done with one message. */
export function MessageMenu({ menu, conversation, viewer, onClose }: Props) {
  const deletion = useDeleteMessage(conversation.id)
  const { showError } = useSnackbar()
  const [doomed, setDoomed] = useState<Message | null>(null)
  const [isAsking, setIsAsking] = useState(false)
  const [reported, setReported] = useState<Message | null>(null)
  const [isReporting, setIsReporting] = useState(false)
  const canReport = menu !== null && menu.message.sender_id !== viewer.id
  const canDelete = menu?.message.sender_id === viewer.id || isAdmin(conversation, viewer.id)

  async function handleCopy() {
    onClose()
    try {
      await navigator.clipboard.writeText(menu?.message.content ?? '')
    } catch {
      showError(messageStrings.copyFailed)
    }
  }

  function handleAsk() {
    onClose()
    setDoomed(menu?.message ?? null)
    setIsAsking(true)
  }

  function handleReport() {
    onClose()
    setReported(menu?.message ?? null)
    setIsReporting(true)
  }

  function handleDelete() {
    setIsAsking(false)
    if (doomed !== null) deletion.mutateAsync(doomed).catch(() => showError(messageStrings.removeFailed))
  }

  return (
    <>
      <Menu open={menu !== null} anchorEl={menu?.anchor ?? null} onClose={onClose}>
        <MenuItem onClick={() => void handleCopy()}>
          <ListItemIcon>
            <ContentCopyRounded fontSize="small" />
          </ListItemIcon>
          {messageStrings.copy}
        </MenuItem>
        {canReport && (
          <MenuItem onClick={handleReport}>
            <ListItemIcon>
              <FlagOutlined fontSize="small" />
            </ListItemIcon>
            {reportStrings.report}
          </MenuItem>
        )}
        {canDelete && (
          <MenuItem onClick={handleAsk} sx={{ color: 'error.main' }}>
            <ListItemIcon sx={{ color: 'inherit' }}>
              <DeleteOutlineRounded fontSize="small" />
            </ListItemIcon>
            {messageStrings.remove}
          </MenuItem>
        )}
      </Menu>
      <ConfirmDialog
        open={isAsking}
        title={messageStrings.removeTitle}
        text={messageStrings.removeText}
        confirmLabel={messageStrings.removeConfirm}
        onConfirm={handleDelete}
        onClose={() => setIsAsking(false)}
      />
      {reported && (
        <ReportDialog
          open={isReporting}
          target={{ kind: 'message', id: reported.id }}
          onClose={() => setIsReporting(false)}
        />
      )}
    </>
  )
}
