import type { ShownPlace } from '@hither/contract/areas.ts'
import { t } from '../../i18n/translate.ts'
import { nearText, townOf } from '../../map/location/address-text.ts'

/** Texts of areas that are also in lists and on the map. */
export const areaStrings = {
  somewhere: (town: string) => t('pings.area.somewhere', { town }),
  inThisArea: t('pings.area.inThisArea'),
} as const

/** Whether the viewer knows the exact place. Older servers know no areas. */
export function isExact({ place_radius_m }: Pick<ShownPlace, 'place_radius_m'>): boolean {
  return typeof place_radius_m !== 'number'
}

/** "Somewhere near Hoboken, New Jersey, US". */
export function areaText({ address }: Pick<ShownPlace, 'address'>): string {
  return address === null ? areaStrings.inThisArea : areaStrings.somewhere(townOf(address))
}

/** "near Hoboken" of an area, for texts that are read aloud. */
export function shortPlaceText({ address }: Pick<ShownPlace, 'address'>): string {
  const town = address?.split(',')[0]
  return town === undefined ? t('pings.area.inThisAreaShort') : nearText(townOf(town))
}
