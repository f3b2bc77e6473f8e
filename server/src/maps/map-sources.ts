import type { OnlineStreets, SatelliteLayer } from '@hither/contract/maps.ts'
import type { MapSettings } from '../config/services.ts'

interface MapSources {
  readonly streets: OnlineStreets | null
  /** The layers from bottom to top. */
  readonly satellite: readonly SatelliteLayer[]
  /** All origins that a client requests. */
  readonly hosts: readonly string[]
}

const openStreetMap = '<a href="https://www.openstreetmap.org/copyright">© OpenStreetMap contributors</a>'
/** OpenMapTiles requires this attribution for its schema, no matter who made the tiles. */
export const openMapTiles = '<a href="https://openmaptiles.org/">© OpenMapTiles</a>'
/** The attribution for tiles in the OpenMapTiles schema that have none. */
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

/** The contiguous states, Alaska, Hawaii, and Puerto Rico with the Virgin Islands. */
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

/** Returns the external sources of streets and imagery for clients. Empty if `online` is off. */
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

/** Services use these style URLs: MapTiler `/maps/…/style.json`, Stadia `/styles/….json`, OpenFreeMap `/styles/…`. */
function streetsKindOf(url: string): OnlineStreets['kind'] {
  if (isTemplate(url)) return 'tiles'
  return /\/styles?\b/.test(new URL(url).pathname) ? 'style' : 'tilejson'
}

/** TileJSON files and styles contain an attribution; a plain tile URL cannot. */
function templateAttribution(url: string): string | null {
  return isTemplate(url) ? streetAttribution : null
}

/** Inserts the key at `{key}`, or else as the parameter `key`. */
function withKey(url: string, key: string | null): string {
  if (key === null) return url
  const encoded = encodeURIComponent(key)
  if (url.includes('{key}')) return url.replaceAll('{key}', encoded)
  const [address, fragment] = url.split('#', 2)
  const separator = address?.includes('?') ? '&' : '?'
  return `${address}${separator}key=${encoded}${fragment === undefined ? '' : `#${fragment}`}`
}
