import type { ConversationId } from '@hither/contract/ids.ts'
import { messageOf } from '../../api/api-error.ts'
import { serverNow } from '../../api/server-time.ts'
import { t } from '../../i18n/translate.ts'
import { endTime } from '../../ui/format-time.ts'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { useMuteConversation, useMutedUntil } from '../notifications.api.ts'

/** Returns whether a chat is muted, and the functions that change it. */
export function useMute(conversationId: ConversationId) {
  const mutedUntil = useMutedUntil(conversationId)
  const muting = useMuteConversation(conversationId)
  const { showError, showNotice } = useSnackbar()

  function change(until: string | null | undefined, done: string) {
    muting
      .mutateAsync(until)
      .then(() => showNotice(done))
      .catch((error: unknown) => showError(messageOf(error, t('notifications.muteFailed'))))
  }

  return {
    isMuted: mutedUntil !== undefined,
    mute: (until: string | null) =>
      change(
        until,
        until === null
          ? t('notifications.mute.mutedForGood')
          : t('notifications.mute.mutedUntil', { time: endTime(until, serverNow()) }),
      ),
    unmute: () => change(undefined, t('notifications.mute.unmuted')),
  }
}
