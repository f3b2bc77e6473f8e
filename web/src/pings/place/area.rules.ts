import type { ShownPlace } from '@hither/contract/areas.ts'
import type { Guest, ShownPing } from '@hither/contract/pings.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import { t } from '../../i18n/translate.ts'
import { areaSizeText } from '../../map/areas/area-size.ts'
import { addressOrCoordinates, townOf } from '../../map/location/address-text.ts'
import { areaText, isExact } from './place.rules.ts'

/** The address or the coordinates of an exact place, or "Somewhere near Hoboken, New Jersey, US". */
export function placeText(place: ShownPlace): string {
  return isExact(place) ? addressOrCoordinates(place) : areaText(place)
}

/** What the owner reads after the exact place was erased. */
export function erasedPlaceText({ address }: Pick<ShownPlace, 'address'>): string {
  return address === null ? t('pings.place.erased') : t('pings.place.erasedNear', { town: townOf(address) })
}

/** "Within about 1 km", in the units of the user's region. */
export function withinText(radiusM: number): string {
  return t('pings.place.within', { distance: areaSizeText(radiusM) })
}

/** What screen readers read of the map: "Map: somewhere near Hoboken, within about 1 km". */
export function mapName(place: ShownPlace): string {
  const { address, place_radius_m: radiusM } = place
  if (radiusM === null || isExact(place)) return t('pings.place.mapOf', { place: placeText(place) })
  const area = address === null ? placeText(place) : areaText({ address: address.split(',')[0] ?? address })
  return t('pings.place.mapOf', { place: `${lowerFirst(area)}, ${lowerFirst(withinText(radiusM))}` })
}

/** What somebody who sees only the area can do to see the exact place. `guest` is the viewer's response as a guest. */
export function hiddenPlaceReason(
  ping: Pick<ShownPing, 'exact_place_for' | 'can_respond' | 'username' | 'display_name'>,
  guest: Pick<Guest, 'state' | 'response_type'> | null,
): string {
  if (ping.exact_place_for !== 'going') return t('pings.place.onlyInvited', { owner: shownName(ping) })
  if (guest?.state === 'waiting' && guest.response_type === 'accepted')
    return t('pings.place.showsAfterApproval', { owner: shownName(ping) })
  return ping.can_respond ? t('pings.place.showsWhenGoing') : t('pings.place.onlyGoing')
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
