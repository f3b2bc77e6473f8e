import type { ConversationId } from '@hither/contract/ids.ts'
import NotificationsOffRounded from '@mui/icons-material/NotificationsOffRounded'
import { useMutedUntil } from '../notifications.api.ts'
import { muteStrings } from '../strings.ts'

/** Shown next to the name of a muted chat. */
export function MutedIcon({ conversationId }: { conversationId: ConversationId }) {
  if (useMutedUntil(conversationId) === undefined) return null
  return (
    <NotificationsOffRounded
      titleAccess={muteStrings.muted}
      sx={{ flexShrink: 0, alignSelf: 'center', fontSize: '1rem', color: 'text.secondary' }}
    />
  )
}
