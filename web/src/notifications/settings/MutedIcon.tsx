import type { ConversationId } from '@hither/contract/ids.ts'
import NotificationsOffRounded from '@mui/icons-material/NotificationsOffRounded'
import { t } from '../../i18n/translate.ts'
import { useMutedUntil } from '../notifications.api.ts'

/** Shown next to the name of a muted chat. */
export function MutedIcon({ conversationId }: { conversationId: ConversationId }) {
  if (useMutedUntil(conversationId) === undefined) return null
  return (
    <NotificationsOffRounded
      titleAccess={t('notifications.mute.muted')}
      sx={{ flexShrink: 0, alignSelf: 'center', fontSize: '1rem', color: 'text.secondary' }}
    />
  )
}
