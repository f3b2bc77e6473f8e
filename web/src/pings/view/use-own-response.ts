import type { Ping, ResponseType } from '@hither/contract/pings.ts'
import type { User } from '@hither/contract/users.ts'
import { messageOf } from '../../api/api-error.ts'
import { t } from '../../i18n/translate.ts'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { useWaitingResponse } from '../outbox/ping-outbox.ts'
import { outdatedOf } from '../pings.rules.ts'
import { useRespondToPing } from '../responses.mutations.ts'

/**
 * The viewer's response to a ping, whether it waits for the network, the response again if it is outdated, and a function that
 * changes it. A response that is given again is removed, unless it is outdated.
 */
export function useOwnResponse(ping: Ping, viewer: User) {
  const { mutateAsync } = useRespondToPing(ping.id, viewer)
  const { showError } = useSnackbar()
  const waiting = useWaitingResponse(ping.id)
  const given = waiting ?? ping.responses.find(({ user_id }) => user_id === viewer.id)
  const chosen = given?.response_type ?? null
  const { revision } = ping
  const outdated = outdatedOf(given, ping)

  function respond(choice: ResponseType) {
    const type = choice === chosen && !outdated ? null : choice
    const fallback = type === null ? t('pings.removeResponseFailed') : t('pings.respondFailed')
    mutateAsync({ type, revision }).catch((error: unknown) => showError(messageOf(error, fallback)))
  }

  return { chosen, isWaiting: waiting !== undefined, outdated, respond }
}
