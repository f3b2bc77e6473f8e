import { type Found, readNominatim, readPhoton } from './geocoder-responses.ts'
import { createUpstream, type Upstream, type UpstreamOptions } from './upstream.ts'

/** A client for a geocoding service on the network. Throws `NoAnswer`. */
export interface Geocoder {
  reverse(latitude: number, longitude: number): Promise<Found | null>
  /** `null`: the service does not support search. */
  readonly search:
    | ((query: string, near: { lat: string; lon: string } | null, limit: number) => Promise<Found[]>)
    | null
  readonly health: Upstream['health']
}

type GeocoderOptions = Omit<UpstreamOptions, 'read'>

/** The public Nominatim server allows one request per second per application, and no search while typing. */
const nominatimSpacingMs = 1000

export function createGeocoder(options: GeocoderOptions): Geocoder {
  return /nominatim/i.test(options.url)
    ? createNominatim({ spacingMs: nominatimSpacingMs, ...options })
    : createPhoton(options)
}

function createPhoton(options: GeocoderOptions): Geocoder {
  const upstream = createUpstream({ ...options, read: readPhoton })
  return {
    health: upstream.health,
    async reverse(latitude, longitude) {
      const query = { lat: String(latitude), lon: String(longitude), limit: '1', lang: 'en' }
      return (await upstream.get('/reverse', query))[0] ?? null
    },
    search: (query, near, limit) => upstream.get('/api/', { q: query, limit: String(limit), lang: 'en', ...near }),
  }
}

function createNominatim(options: GeocoderOptions): Geocoder {
  const upstream = createUpstream({ ...options, read: readNominatim })
  return {
    health: upstream.health,
    async reverse(latitude, longitude) {
      const query = { lat: String(latitude), lon: String(longitude), format: 'jsonv2', addressdetails: '1', zoom: '18' }
      return (await upstream.get('/reverse', query))[0] ?? null
    },
    search: null,
  }
}
