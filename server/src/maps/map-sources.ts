import { type OnlineStreets, type SatelliteLayer } from '@hither/contract/maps.ts'

/** What the configuration says of maps from elsewhere. */
export interface MapSettings {
  readonly styleUrl: string | null
  readonly satelliteUrl: string | null
  readonly key: string | null
  readonly online: boolean
  /** Origins besides those of the addresses, which a style or a TileJSON there refers to. */
  readonly hosts: readonly string[]
}

export interface MapSources {
  readonly streets: OnlineStreets | null
  /** From the bottom up. */
  readonly satellite: readonly SatelliteLayer[]
  /** Every origin that a client asks. */
  readonly hosts: readonly string[]
}

const openStreetMap = '<a href="https://www.openstreetmap.org/copyright">© OpenStreetMap contributors</a>'
/** The schema asks for it, whoever made the tiles. */
export const openMapTiles = '<a href="https://openmaptiles.org/">© OpenMapTiles</a>'
/** For tiles in the OpenMapTiles schema that name nobody. */
export const streetAttribution = `${openMapTiles} ${openStreetMap}`

const openFreeMap: OnlineStreets = {
  kind: 'tilejson',
  url: 'https://tiles.openfreemap.org/planet',
  attribution: `<a href="https://openfreemap.org/">OpenFreeMap</a> ${streetAttribution}`,
}

const blueMarble: SatelliteLayer = {
  kind: 'tiles',
  url: 'https://gibs.earthdata.nasa.gov/wmts/epsg3857/best/BlueMarble_NextGeneration/default/GoogleMapsCompatible_Level8/{z}/{y}/{x}.jpeg',
  bounds: null,
  max_zoom: 8,
  attribution: 'Imagery <a href="https://earthdata.nasa.gov/">NASA EOSDIS GIBS</a>',
}

/** The conterminous states, Alaska, Hawaii, Puerto Rico with the Virgin Islands. */
const statesBounds = [
  [-125, 24.4, -66.9, 49.4],
  [-170, 51.2, -130, 71.5],
  [-160.3, 18.9, -154.8, 22.3],
  [-67.3, 17.6, -64.5, 18.6],
]
const states = statesBounds.map(
  (bounds): SatelliteLayer => ({
    kind: 'tiles',
    url: 'https://basemap.nationalmap.gov/arcgis/rest/services/USGSImageryOnly/MapServer/tile/{z}/{y}/{x}',
    bounds,
    max_zoom: 16,
    attribution: 'Imagery <a href="https://www.usgs.gov/">U.S. Geological Survey</a>',
  }),
)

/** Where a client finds streets and imagery outside this server; nothing at all where `online` is off. */
export function mapSources({ styleUrl, satelliteUrl, key, online, hosts }: MapSettings): MapSources {
  if (!online) return { streets: null, satellite: [], hosts: [] }
  const streets: OnlineStreets =
    styleUrl === null
      ? openFreeMap
      : { kind: streetsKindOf(styleUrl), url: withKey(styleUrl, key), attribution: templateAttribution(styleUrl) }
  const satellite: readonly SatelliteLayer[] =
    satelliteUrl === null
      ? [blueMarble, ...states]
      : [
          {
            kind: isTemplate(satelliteUrl) ? 'tiles' : 'tilejson',
            url: withKey(satelliteUrl, key),
            bounds: null,
            max_zoom: null,
            attribution: null,
          },
        ]
  const origins = [streets, ...satellite].map(({ url }) => new URL(url).origin)
  return { streets, satellite, hosts: [...new Set([...origins, ...hosts])] }
}

function isTemplate(url: string): boolean {
  return url.includes('{z}')
}

/** Services name their styles so: MapTiler `/maps/…/style.json`, Stadia `/styles/….json`, OpenFreeMap `/styles/…`. */
function streetsKindOf(url: string): OnlineStreets['kind'] {
  if (isTemplate(url)) return 'tiles'
  return /\/styles?\b/.test(new URL(url).pathname) ? 'style' : 'tilejson'
}

/** TileJSON and styles name their own sources; a bare address of tiles cannot. */
function templateAttribution(url: string): string | null {
  return isTemplate(url) ? streetAttribution : null
}

/** In the place of `{key}`, else as the parameter `key`. */
function withKey(url: string, key: string | null): string {
  if (key === null) return url
  const encoded = encodeURIComponent(key)
  if (url.includes('{key}')) return url.replaceAll('{key}', encoded)
  const [address, fragment] = url.split('#', 2)
  const separator = address?.includes('?') ? '&' : '?'
  return `${address}${separator}key=${encoded}${fragment === undefined ? '' : `#${fragment}`}`
}
