import { quickPin } from '@hither/contract/runtime/pings.ts'
import type { User } from '@hither/contract/users.ts'
import type { QueryClient } from '@tanstack/react-query'
import { friendsQuery } from '../../friends/friends.api.ts'
import { t } from '../../i18n/translate.ts'
import { isInexact, type Position } from '../../map/location/geolocation.ts'
import type { Place } from '../../map/map-defaults.ts'
import type { Snackbars } from '../../ui/use-snackbar.ts'
import { quickButton } from '../outbox/outbox.rules.ts'
import { dropWithUndo } from './drop-with-undo.ts'
import { isNearPrivatePlace } from './near-private-place.ts'
import { isBusy } from './undo-period.ts'

interface QuickPin {
  owner: User
  queryClient: QueryClient
  snackbars: Snackbars
  /** Resolves to null if the position of the device is unknown. */
  findPlace: () => Promise<Position | null>
  onPin: (place: Place) => void
  /** Called with a position that needs the form, because it is inexact or near a private place. */
  onForm: (position: Position) => void
}

/** Drops a ping with the defaults for all friends where the device is. Resolves when the button can be used again. */
export async function dropQuickPin({
  owner,
  queryClient,
  snackbars,
  findPlace,
  onPin,
  onForm,
}: QuickPin): Promise<void> {
  if (isBusy(quickButton)) return
  const position = await findPlace()
  if (position === null) return
  onPin(position)
  if (isInexact(position) || (await isNearPrivatePlace(position))) return onForm(position)
  const friends = queryClient.getQueryData(friendsQuery().queryKey)
  if (friends?.length === 0) return snackbars.showError(t('pings.noFriends'))
  const { latitude, longitude } = position
  const input = { ...quickPin, name: t('pings.oneTap.name'), latitude, longitude }
  const pin = { button: quickButton, input, wantsChat: false, friendsCount: friends?.length ?? null }
  return dropWithUndo(owner.id, pin, snackbars)
}
