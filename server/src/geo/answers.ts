import { type AddressParts } from './addresses.ts'

/** One thing that a geocoder found. */
export interface Found {
  readonly parts: AddressParts
  readonly latitude: number
  readonly longitude: number
}

/** Photon: GeoJSON whose properties are the address. What has another form than that is left out; `null`: it is no answer at all. */
export function readPhoton(answer: unknown): Found[] | null {
  const features = fieldOf(answer, 'features')
  if (!Array.isArray(features)) return null
  return features.flatMap((feature) => {
    const properties = fieldOf(feature, 'properties')
    const text = (name: string) => textOf(fieldOf(properties, name))
    const coordinates = fieldOf(fieldOf(feature, 'geometry'), 'coordinates')
    const [longitude, latitude] = Array.isArray(coordinates) ? coordinates : []
    // A street, a district, a city: its own name is that part of the address.
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

/** Nominatim's reverse answer in the form jsonv2: one place, or `{error}` where there is nothing. */
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

/** On one line, without what a database or a screen stumbles over. */
function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  return (
    value
      .slice(0, 500)
      .replace(/\p{C}+/gu, ' ')
      .trim() || undefined
  )
}
