import type { AddressParts } from './addresses.ts'

/** One result of a geocoder. */
export interface Found {
  readonly parts: AddressParts
  readonly latitude: number
  readonly longitude: number
}

/**
 * Parses the GeoJSON of Photon, whose properties are the address. Skips features of another form; returns `null` if it
 * is no valid response.
 */
export function readPhoton(answer: unknown): Found[] | null {
  const features = fieldOf(answer, 'features')
  if (!Array.isArray(features)) return null
  return features.flatMap((feature) => {
    const properties = fieldOf(feature, 'properties')
    const text = (name: string) => textOf(fieldOf(properties, name))
    const coordinates = fieldOf(fieldOf(feature, 'geometry'), 'coordinates')
    const [longitude, latitude] = Array.isArray(coordinates) ? coordinates : []
    // The name of a street, a district or a city is that part of its address.
    const own: AddressParts = { [ownPart[text('type') ?? ''] ?? 'name']: text('name') }
    const parts: AddressParts = {
      houseNumber: text('housenumber'),
      street: text('street'),
      district: text('district') ?? text('locality'),
      city: text('city') ?? text('county'),
      state: text('state'),
      postcode: text('postcode'),
      country: text('country'),
      countryCode: text('countrycode'),
      ...own,
    }
    return foundAt(latitude, longitude, parts)
  })
}

const ownPart: Readonly<Record<string, keyof AddressParts>> = {
  street: 'street',
  locality: 'district',
  district: 'district',
  city: 'city',
  state: 'state',
  country: 'country',
}

/** Parses a reverse response of Nominatim in the format jsonv2: one place, or `{error}` if nothing is there. */
export function readNominatim(answer: unknown): Found[] | null {
  if (textOf(fieldOf(answer, 'error')) !== undefined) return []
  const address = fieldOf(answer, 'address')
  if (typeof address !== 'object' || address === null) return null
  const text = (...names: string[]) => names.map((name) => textOf(fieldOf(address, name))).find((value) => value)
  const street = text('road', 'pedestrian', 'footway', 'path', 'square')
  const city = text('city', 'town', 'village', 'municipality', 'hamlet', 'county')
  const name = textOf(fieldOf(answer, 'name'))
  const parts: AddressParts = {
    name: name === street || name === city ? undefined : name,
    houseNumber: text('house_number'),
    street,
    district: text('suburb', 'neighbourhood', 'quarter', 'city_district'),
    city,
    state: text('state', 'region'),
    postcode: text('postcode'),
    country: text('country'),
    countryCode: text('country_code'),
  }
  return foundAt(Number(fieldOf(answer, 'lat')), Number(fieldOf(answer, 'lon')), parts)
}

function foundAt(latitude: unknown, longitude: unknown, parts: AddressParts): Found[] {
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return []
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return []
  return Object.values(parts).some((part) => part !== undefined) ? [{ parts, latitude, longitude }] : []
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

/** Normalizes a text to one line without control characters. */
function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  return (
    value
      .slice(0, 500)
      .replace(/\p{C}+/gu, ' ')
      .trim() || undefined
  )
}
