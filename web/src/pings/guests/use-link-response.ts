import type { GuestId } from '@hither/contract/ids.ts'
import type { Guest, PublicPing, ResponseType } from '@hither/contract/pings.ts'
import type { User } from '@hither/contract/users.ts'
import { useQueryClient } from '@tanstack/react-query'
import { messageOf } from '../../api/api-error.ts'
import { serverNow } from '../../api/server-time.ts'
import { t } from '../../i18n/translate.ts'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { useWaitingResponse } from '../outbox/ping-outbox.ts'
import { patchPing } from '../pings.cache.ts'
import { outdatedOf } from '../pings.rules.ts'
import { useRespondToPing } from '../responses.mutations.ts'

/**
 * The response of a signed-in guest, like `useOwnResponse`. It is shown at once and reverted if the server refuses.
 */
export function useLinkResponse(ping: PublicPing, viewer: User) {
  const queryClient = useQueryClient()
  const { mutateAsync } = useRespondToPing(ping.id, viewer)
  const { showError } = useSnackbar()
  const waiting = useWaitingResponse(ping.id)
  const given = waiting ?? ping.guest
  const chosen = given?.response_type ?? null
  const { revision } = ping
  const outdated = outdatedOf(given, ping)

  function put(guest: Guest | null) {
    patchPing(queryClient, ping.id, (shown) => (shown.access === 'link' ? { ...shown, guest } : shown))
  }

  function respond(choice: ResponseType) {
    const type = choice === chosen && !outdated ? null : choice
    const fallback = type === null ? t('pings.removeResponseFailed') : t('pings.respondFailed')
    const before = ping.guest
    put(type === null ? null : predictedGuest(ping, viewer, type))
    mutateAsync({ type, revision }).catch((error: unknown) => {
      put(before)
      showError(messageOf(error, fallback))
    })
  }

  return { chosen, isWaiting: waiting !== undefined, outdated, respond }
}

/** Returns the guest that the server will return. Its id is never sent. */
function predictedGuest(
  { id: ping_id, guest, guest_policy, revision }: PublicPing,
  viewer: User,
  type: ResponseType,
): Guest {
  const at = new Date(serverNow()).toISOString()
  return {
    id: '' as GuestId,
    ping_id,
    user_id: viewer.id,
    name: viewer.username,
    state: guest_policy === 'approval' ? 'waiting' : 'approved',
    created_at: at,
    ...guest,
    response_type: type,
    revision,
    updated_at: at,
  }
}
