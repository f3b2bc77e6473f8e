import type { ShownPlace } from '@hither/contract/areas.ts'

/** Texts of areas that are also in lists and on the map. `town` begins with "near". */
export const areaStrings = {
  somewhere: (town: string) => `Somewhere ${town}`,
  inThisArea: 'Somewhere in this area',
} as const

/** Whether the viewer knows the exact place. Older servers know no areas. */
export function isExact({ place_radius_m }: Pick<ShownPlace, 'place_radius_m'>): boolean {
  return typeof place_radius_m !== 'number'
}

/** "Somewhere near Hoboken, New Jersey, US". */
export function areaText({ address }: Pick<ShownPlace, 'address'>): string {
  return address === null ? areaStrings.inThisArea : areaStrings.somewhere(address)
}

/** "near Hoboken" of an area, for texts that are read aloud. */
export function shortPlaceText({ address }: Pick<ShownPlace, 'address'>): string {
  return address?.split(',')[0] ?? areaStrings.inThisArea.toLowerCase()
}
