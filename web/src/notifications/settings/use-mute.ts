import type { ConversationId } from '@hither/contract/ids.ts'
import { messageOf } from '../../api/api-error.ts'
import { serverNow } from '../../api/server-time.ts'
import { endTime } from '../../ui/format-time.ts'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { useMuteConversation, useMutedUntil } from '../notifications.api.ts'
import { muteStrings as strings } from '../strings.ts'

/** Returns whether a chat is muted, and the functions that change it. */
export function useMute(conversationId: ConversationId) {
  const mutedUntil = useMutedUntil(conversationId)
  const muting = useMuteConversation(conversationId)
  const { showError, showNotice } = useSnackbar()

  function change(until: string | null | undefined, done: string) {
    muting
      .mutateAsync(until)
      .then(() => showNotice(done))
      .catch((error: unknown) => showError(messageOf(error, strings.failed)))
  }

  return {
    isMuted: mutedUntil !== undefined,
    mute: (until: string | null) =>
      change(until, until === null ? strings.mutedForGood : strings.mutedUntil(endTime(until, serverNow()))),
    unmute: () => change(undefined, strings.unmuted),
  }
}
