import { quickPin } from '@hither/contract/pings.ts'
import { type User } from '@hither/contract/users.ts'
import { useQueryClient } from '@tanstack/react-query'
import { messageOf } from '../api/api-error.ts'
import { serverNow } from '../api/server-time.ts'
import { friendsQuery } from '../friends/friends.api.ts'
import { type Place } from '../map/map-defaults.ts'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { audienceOf } from './audience.ts'
import { isWhole } from './pings.api.ts'
import { createStrings, waitingStrings } from './strings.ts'
import { useDropPing } from './use-drop-ping.ts'

/** Drops a pin with the defaults, for all friends. Nobody was told before who will see it, so the notice says it. */
export function useQuickPing(owner: User) {
  const queryClient = useQueryClient()
  const creation = useDropPing(owner)
  const { showError, showNotice } = useSnackbar()

  return async (place: Place): Promise<void> => {
    if (queryClient.getQueryData(friendsQuery().queryKey)?.length === 0) return showError(createStrings.noFriends)
    try {
      const ping = await creation.drop({ ...quickPin, ...place }, { image: null, wantsChat: false })
      if (ping === null) return showNotice(waitingStrings.kept)
      showNotice(isWhole(ping) ? createStrings.quickCreated(audienceOf(ping, serverNow())) : createStrings.created)
    } catch (error) {
      showError(messageOf(error, createStrings.createFailed))
    }
  }
}
