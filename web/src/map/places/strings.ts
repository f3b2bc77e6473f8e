import { t } from '../../i18n/translate.ts'

/** Texts of the search for places and of addresses. */
export const placeStrings = {
  placeMap: t('map.placeMap'),
  movePin: t('map.movePin'),
  search: t('map.search'),
  searchPlaceholder: t('map.searchPlaceholder'),
  closeSearch: t('map.closeSearch'),
  searching: t('map.searching'),
  noPlaces: t('map.noPlaces'),
  searchFailed: t('map.searchFailed'),
  results: (count: number) => t('map.results', { count }),
  coordinates: t('map.coordinates'),
  address: t('map.address'),
  removeAddress: t('map.removeAddress'),
  findAddress: t('map.findAddress'),
  noAddress: t('map.noAddress'),
  addressStaysHere: t('map.addressStaysHere'),
  addressGoesOut: t('map.addressGoesOut'),
  foundPlace: (name: string) => t('map.foundPlace', { name }),
} as const
