import type { MessageId, UserId } from '@hither/contract/ids.ts'
import { useEffect } from 'react'
import { t } from '../../i18n/translate.ts'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { removeFromOutbox } from './message-outbox.ts'
import type { OutgoingReaction } from './outbox-items.ts'

/** Shows why the server refused a reaction, and removes the reaction. */
export function useReactionFailures(reactions: ReadonlyMap<MessageId, OutgoingReaction>, viewerId: UserId) {
  const { showError } = useSnackbar()

  useEffect(() => {
    for (const { client_id, state, reason = t('chat.reactFailed') } of reactions.values()) {
      if (state !== 'failed') continue
      showError(reason)
      void removeFromOutbox(viewerId, client_id)
    }
  }, [reactions, viewerId, showError])
}
