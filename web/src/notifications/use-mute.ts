import { type ConversationId } from '@hither/contract/ids.ts'
import { messageOf } from '../api/api-error.ts'
import { clockTime, exactTime } from '../ui/time-words.ts'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { useMuteConversation, useMutedUntil } from './notifications.api.ts'
import { muteStrings as strings } from './strings.ts'

/** Whether a chat is muted, and the ways to change that. */
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
      change(until, until === null ? strings.mutedForGood : strings.mutedUntil(shortTime(until))),
    unmute: () => change(undefined, strings.unmuted),
  }
}

const dayMs = 86_400_000

function shortTime(until: string): string {
  return Date.parse(until) - Date.now() < dayMs ? clockTime(until) : exactTime(until)
}
