import type { Conversation, Message } from '@hither/contract/messages/messages.ts'
import { messageLimits } from '@hither/contract/runtime/messages/messages.ts'
import { quickEmoji } from '@hither/contract/runtime/messages/reactions.ts'
import type { User } from '@hither/contract/users.ts'
import ContentCopyRounded from '@mui/icons-material/ContentCopyRounded'
import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded'
import EditOutlined from '@mui/icons-material/EditOutlined'
import FlagOutlined from '@mui/icons-material/FlagOutlined'
import ReplyRounded from '@mui/icons-material/ReplyRounded'
import ListItemIcon from '@mui/material/ListItemIcon'
import MenuItem from '@mui/material/MenuItem'
import MenuList from '@mui/material/MenuList'
import { useRef, useState } from 'react'
import { serverNow } from '../../api/server-time.ts'
import { copyText } from '../../device/clipboard.ts'
import { mirrored } from '../../i18n/language.ts'
import { t } from '../../i18n/translate.ts'
import { ReportDialog } from '../../moderation/ReportDialog.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Popover } from '../../ui/overlays/Popover.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { captionOf } from '../messages/message-text.ts'
import { useDeleteMessage } from '../messages.mutations.ts'
import { isAdmin } from '../participants/membership.ts'
import { QuickReactions } from '../reactions/QuickReactions.tsx'

interface Props {
  open: boolean
  /** Only the choice of a reaction. */
  isQuick: boolean
  anchor: HTMLElement | null
  message: Message
  ownEmoji: string | undefined
  conversation: Conversation
  viewer: User
  /** Whether the viewer can send messages to the conversation. */
  canSend: boolean
  onReact: (emoji: string) => void
  onMoreEmoji: () => void
  onReply: () => void
  onEdit: () => void
  /** Called when the menu has closed after a reply or an edit was begun: the composer takes the focus. */
  onCompose: () => void
  onClose: () => void
}

/** The actions for one message. */
export function MessageMenu(props: Props) {
  const { open, isQuick, anchor, message, ownEmoji, conversation, viewer, canSend, onClose } = props
  const deletion = useDeleteMessage(conversation.id)
  const { showError } = useSnackbar()
  const [dialog, setDialog] = useState<{ kind: 'delete' | 'report'; message: Message; isOpen: boolean } | null>(null)
  const isComposing = useRef(false)
  const isOwn = message.sender_id === viewer.id
  const text = captionOf(message)
  const isEditable = isOwn && serverNow() - Date.parse(message.created_at) < messageLimits.editableMs
  const isDeletable = isOwn || isAdmin(conversation, viewer.id)
  const isOpen = (kind: 'delete' | 'report') => dialog?.kind === kind && dialog.isOpen

  function handleCompose(begin: () => void) {
    begin()
    isComposing.current = true
    onClose()
  }

  /** The menu has returned the focus to its button. */
  function handleExited() {
    if (isComposing.current) props.onCompose()
    isComposing.current = false
  }

  async function handleCopy() {
    onClose()
    try {
      await copyText(text)
    } catch {
      showError(t('chat.message.copyFailed'))
    }
  }

  function handleOpenDialog(kind: 'delete' | 'report') {
    onClose()
    setDialog({ kind, message, isOpen: true })
  }

  function handleCloseDialog() {
    setDialog((before) => before && { ...before, isOpen: false })
  }

  function handleDelete() {
    handleCloseDialog()
    if (dialog !== null) deletion.mutateAsync(dialog.message).catch(() => showError(t('chat.message.removeFailed')))
  }

  return (
    <>
      <Popover
        open={open}
        anchorEl={anchor}
        onClose={onClose}
        anchorOrigin={{ vertical: 'bottom', horizontal: isOwn ? 'right' : 'left' }}
        transformOrigin={{ vertical: 'top', horizontal: isOwn ? 'right' : 'left' }}
        slotProps={{
          paper: { role: 'dialog', 'aria-label': t('chat.message.options'), sx: { maxWidth: 'calc(100% - 16px)' } },
          transition: { onExited: handleExited },
        }}
        marginThreshold={8}
      >
        {(canSend || ownEmoji !== undefined) && (
          <QuickReactions
            open={open}
            emoji={canSend ? quickEmoji : []}
            ownEmoji={ownEmoji}
            canAdd={canSend}
            onChoose={props.onReact}
            onMore={props.onMoreEmoji}
          />
        )}
        {!isQuick && (
          <MenuList autoFocusItem={!canSend} aria-label={t('chat.message.options')}>
            {canSend && (
              <MenuItem onClick={() => handleCompose(props.onReply)}>
                <ListItemIcon>
                  <ReplyRounded sx={mirrored} fontSize="small" />
                </ListItemIcon>
                {t('chat.message.reply')}
              </MenuItem>
            )}
            {canSend && isEditable && (
              <MenuItem onClick={() => handleCompose(props.onEdit)}>
                <ListItemIcon>
                  <EditOutlined fontSize="small" />
                </ListItemIcon>
                {t('chat.message.edit')}
              </MenuItem>
            )}
            {text !== '' && (
              <MenuItem onClick={() => void handleCopy()}>
                <ListItemIcon>
                  <ContentCopyRounded fontSize="small" />
                </ListItemIcon>
                {t('chat.message.copy')}
              </MenuItem>
            )}
            {!isOwn && (
              <MenuItem onClick={() => handleOpenDialog('report')}>
                <ListItemIcon>
                  <FlagOutlined fontSize="small" />
                </ListItemIcon>
                {t('moderation.report.report')}
              </MenuItem>
            )}
            {isDeletable && (
              <MenuItem onClick={() => handleOpenDialog('delete')} sx={{ color: 'error.main' }}>
                <ListItemIcon sx={{ color: 'inherit' }}>
                  <DeleteOutlineRounded fontSize="small" />
                </ListItemIcon>
                {t('chat.message.remove')}
              </MenuItem>
            )}
          </MenuList>
        )}
      </Popover>
      <ConfirmDialog
        open={isOpen('delete')}
        title={t('chat.message.removeTitle')}
        text={t('chat.message.removeText')}
        confirmLabel={t('chat.message.removeConfirm')}
        onConfirm={handleDelete}
        onClose={handleCloseDialog}
      />
      {dialog !== null && (
        <ReportDialog
          open={isOpen('report')}
          target={{ kind: 'message', id: dialog.message.id }}
          onClose={handleCloseDialog}
        />
      )}
    </>
  )
}
