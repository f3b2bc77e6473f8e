import { type FoundAddress, type FoundPlace, geoLimits } from '@hither/contract/geo.ts'
import { distance } from 'geokdbush'
import { formatAddress, streetOf } from './addresses.ts'
import { type Found } from './answers.ts'
import { readCoordinates } from './coordinates.ts'
import { fold } from './fold.ts'
import { type Geocoder } from './geocoder.ts'
import { createLru } from './lru.ts'
import { type Places } from './places.ts'
import { NoAnswer } from './upstream.ts'

export interface GeoDeps {
  /** `null`: nothing outside this server is asked. */
  readonly geocoder: Geocoder | null
  readonly places: Places
  readonly now: () => Date
}

export interface Geo {
  findAddress(latitude: number, longitude: number): Promise<FoundAddress>
  search(query: string, near: { latitude: number; longitude: number } | null): Promise<FoundPlace[]>
}

/** In memory only: on a disk it would be a list of where people have been. */
const kept = { most: 20_000, lifeMs: 30 * 24 * 3600 * 1000 } as const
/** Four decimals are some ten metres, one is some ten kilometres: more of a place nobody outside needs. */
const decimals = { place: 4, near: 1 } as const
/** A house farther away than this is another one. */
const sameHouseKm = 0.1

export function createGeo({ geocoder, places, now }: GeoDeps): Geo {
  const addresses = createAnswers<string | null>(now)
  const searches = createAnswers<FoundPlace[]>(now)

  async function findAddress(latitude: number, longitude: number): Promise<FoundAddress> {
    const [lat, lng] = [rounded(latitude, decimals.place), rounded(longitude, decimals.place)]
    const address =
      geocoder &&
      (await addresses.of(`${lat} ${lng}`, async () => addressOf(await geocoder.reverse(lat, lng), lat, lng)))
    return { address: address || (await places.near(lat, lng)) }
  }

  return {
    findAddress,
    async search(query, near) {
      const point = readCoordinates(query)
      if (point !== null) {
        const { address } = await findAddress(point.latitude, point.longitude)
        const name = `${point.latitude.toFixed(4)}, ${point.longitude.toFixed(4)}`
        return [{ name, address: address ?? '', ...point }]
      }
      const asked = fold(query)
      if (asked === '') return []
      const around = near && {
        lat: String(rounded(near.latitude, decimals.near)),
        lon: String(rounded(near.longitude, decimals.near)),
      }
      const ask = geocoder?.search
      const found =
        ask &&
        (await searches.of(`${asked} ${around?.lat} ${around?.lon}`, async () =>
          presentFound(await ask(query.trim(), around, geoLimits.results)),
        ))
      return found?.length ? found : places.search(query, geoLimits.results)
    },
  }
}

/** Answers of a service: kept, shared by those who ask the same at once, `null` where there is none right now. */
function createAnswers<Value>(now: () => Date) {
  const known = createLru<Value>(kept.most, kept.lifeMs, now)
  const underWay = new Map<string, Promise<Value | null>>()

  async function askNow(key: string, ask: () => Promise<Value>): Promise<Value | null> {
    try {
      const value = await ask()
      known.set(key, value)
      return value
    } catch (error) {
      if (error instanceof NoAnswer) return null
      throw error
    } finally {
      underWay.delete(key)
    }
  }

  return {
    async of(key: string, ask: () => Promise<Value>): Promise<Value | null> {
      const value = known.get(key)
      if (value !== undefined) return value
      const running = underWay.get(key) ?? askNow(key, ask)
      underWay.set(key, running)
      return running
    },
  }
}

function addressOf(found: Found | null, latitude: number, longitude: number): string | null {
  if (found === null) return null
  const isElsewhere =
    found.parts.houseNumber !== undefined &&
    distance(longitude, latitude, found.longitude, found.latitude) > sameHouseKm
  const near = isElsewhere ? 'near ' : ''
  const address = formatAddress(found.parts, geoLimits.addressLength - near.length)
  return address === '' ? null : near + address
}

/** The narrowest part is the name, what is left says where. */
function presentFound(found: readonly Found[]): FoundPlace[] {
  const places = found.slice(0, geoLimits.results).flatMap(({ parts, latitude, longitude }): FoundPlace[] => {
    const whole = formatAddress(parts, geoLimits.addressLength)
    const name = parts.name ?? streetOf(parts, parts.countryCode?.toUpperCase() ?? '') ?? whole.split(', ', 1)[0] ?? ''
    const address = whole.startsWith(name) ? whole.slice(name.length).replace(/^, /, '') : whole
    return name === ''
      ? []
      : [{ name: [...name].slice(0, geoLimits.nameLength).join(''), address, latitude, longitude }]
  })
  const toldApart = new Map(places.map((place) => [`${place.name}\n${place.address}`, place]))
  return [...toldApart.values()]
}

function rounded(degrees: number, places: number): number {
  // Adding zero makes -0 a 0, which is written otherwise.
  return Number(degrees.toFixed(places)) + 0
}
