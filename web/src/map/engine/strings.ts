import { t } from '../../i18n/translate.ts'

/** Texts of the map and its tools, which are loaded after the first paint of Home. */
export const drawnMapStrings = {
  title: t('map.title'),
  loadingStreets: (attempt: number, of: number) => t('map.loadingStreets', { attempt, of }),
  streetsFailed: t('map.streetsFailed'),
  keyRefused: (key: string | null) => (key === null ? t('map.keyMissing') : t('map.keyRefused')),
  satellite: t('map.satellite'),
  satelliteOffline: t('map.satelliteOffline'),
  satelliteCloser: t('map.satelliteCloser'),
  fitPins: t('map.fitPins'),
  zoomIn: (count: number) => t('map.zoomIn', { count }),
  noStreets: t('map.noStreets'),
  naturalEarth: t('map.naturalEarth'),
  blueMarble: t('map.blueMarble'),
  geoNames: '<a href="https://www.geonames.org" target="_blank" rel="noreferrer">GeoNames</a> (CC BY 4.0)',
  ownPosition: t('map.ownPosition'),
  ownPositionShort: t('map.ownPositionShort'),
} as const
