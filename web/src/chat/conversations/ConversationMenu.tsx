import type { ConversationSummary } from '@hither/contract/messages/messages.ts'
import ArchiveOutlined from '@mui/icons-material/ArchiveOutlined'
import NotificationsNoneRounded from '@mui/icons-material/NotificationsNoneRounded'
import NotificationsOffOutlined from '@mui/icons-material/NotificationsOffOutlined'
import PushPinOutlined from '@mui/icons-material/PushPinOutlined'
import UnarchiveOutlined from '@mui/icons-material/UnarchiveOutlined'
import ListItemIcon from '@mui/material/ListItemIcon'
import MenuItem from '@mui/material/MenuItem'
import { type ReactNode, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { MuteDialog } from '../../notifications/settings/MuteDialog.tsx'
import { useMute } from '../../notifications/settings/use-mute.ts'
import { Menu } from '../../ui/overlays/Menu.tsx'
import { usePlacement } from '../placement.mutations.ts'

interface Props {
  open: boolean
  anchor: HTMLElement | null
  summary: ConversationSummary
  onClose: () => void
}

/** What the viewer can do with a conversation of the list. */
export function ConversationMenu({ open, anchor, summary, onClose }: Props) {
  const { pin, unpin, archive, unarchive } = usePlacement(summary)
  const { isMuted, unmute } = useMute(summary.id)
  const [isMuting, setIsMuting] = useState(false)
  const { pinned_at, archived_at } = summary

  function item(label: string, icon: ReactNode, choose: () => void) {
    return (
      <MenuItem
        onClick={() => {
          onClose()
          choose()
        }}
      >
        <ListItemIcon>{icon}</ListItemIcon>
        {label}
      </MenuItem>
    )
  }

  return (
    <>
      <Menu open={open} anchorEl={anchor} onClose={onClose}>
        {item(
          pinned_at === null ? t('chat.list.pin') : t('chat.list.unpin'),
          <PushPinOutlined fontSize="small" />,
          pinned_at === null ? pin : unpin,
        )}
        {archived_at === null
          ? item(t('chat.list.archive'), <ArchiveOutlined fontSize="small" />, archive)
          : item(t('chat.list.unarchive'), <UnarchiveOutlined fontSize="small" />, unarchive)}
        {isMuted
          ? item(t('notifications.mute.unmute'), <NotificationsNoneRounded fontSize="small" />, unmute)
          : item(t('notifications.mute.mute'), <NotificationsOffOutlined fontSize="small" />, () => setIsMuting(true))}
      </Menu>
      <MuteDialog open={isMuting} conversationId={summary.id} onClose={() => setIsMuting(false)} />
    </>
  )
}
