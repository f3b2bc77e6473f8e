import type { ConversationId } from '@hither/contract/ids.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '../api/api-error.ts'
import { serverNow } from '../api/server-time.ts'
import { call } from '../api/transport.ts'
import { t } from '../i18n/translate.ts'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { summariesQuery } from './chat.api.ts'
import { patchCopies, refetchList, refetchOutdatedList } from './chat.cache.ts'
import { type Placement, withArchive, withPin } from './conversations/list-order.ts'

interface Move {
  id: ConversationId
  change: 'pin' | 'unpin' | 'archive' | 'unarchive'
}

const operations = {
  pin: 'PUT /messages/conversations/:id/pin',
  unpin: 'DELETE /messages/conversations/:id/pin',
  archive: 'PUT /messages/conversations/:id/archive',
  unarchive: 'DELETE /messages/conversations/:id/archive',
} as const

/** Moves a conversation in the viewer's list at once. Reverts the change and shows the reason if the server refuses. */
function useMoveConversation() {
  const queryClient = useQueryClient()
  const { showError } = useSnackbar()
  return useMutation({
    mutationFn: ({ id, change }: Move) => call(operations[change], { params: { id } }),
    onMutate: async ({ id, change }): Promise<Placement | undefined> => {
      // A read in progress may have begun before the change.
      await queryClient.cancelQueries(summariesQuery())
      const before = queryClient.getQueryData(summariesQuery().queryKey)?.find((summary) => summary.id === id)
      patchCopies(queryClient, id, (one) => moved(one, change))
      return before
    },
    onSuccess: () => refetchOutdatedList(queryClient),
    onError: (error, { id }, before) => {
      if (before !== undefined) {
        const { pinned_at, archived_at } = before
        patchCopies(queryClient, id, (one) => ({ ...one, pinned_at, archived_at }))
      }
      void refetchList(queryClient)
      showError(messageOf(error, t('chat.list.moveFailed')))
    },
  })
}

/** Returns the functions that pin and archive a conversation. */
export function usePlacement({ id, pinned_at }: Placement & { id: ConversationId }) {
  const { mutate, mutateAsync } = useMoveConversation()
  const { showNotice } = useSnackbar()

  return {
    pin: () => mutate({ id, change: 'pin' }),
    unpin: () => mutate({ id, change: 'unpin' }),
    unarchive: () => mutate({ id, change: 'unarchive' }),
    archive() {
      // One call at a time, so that the server receives them in the order of the taps.
      const archiving = mutateAsync({ id, change: 'archive' })
      // Archiving has unpinned the conversation. Pinning takes it out of the archive.
      const change = pinned_at === null ? 'unarchive' : 'pin'
      const undo = () => void archiving.then(() => mutate({ id, change })).catch(() => undefined)
      showNotice(t('chat.list.archived'), [{ label: t('chat.list.undo'), onClick: undo }])
      archiving.catch(() => undefined)
    },
  }
}

function moved<T extends Placement>(one: T, change: Move['change']): T {
  const now = new Date(serverNow()).toISOString()
  switch (change) {
    case 'pin':
      return withPin(one, now)
    case 'unpin':
      return withPin(one, null)
    case 'archive':
      return withArchive(one, now)
    case 'unarchive':
      return withArchive(one, null)
  }
}
