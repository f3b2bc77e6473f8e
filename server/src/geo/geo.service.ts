import type { FoundAddress, FoundPlace } from '@hither/contract/geo.ts'
import type { UserId } from '@hither/contract/ids.ts'
import { geoLimits, nearPrefix } from '@hither/contract/runtime/geo.ts'
import { distance } from 'geokdbush'
import { LRUCache } from 'lru-cache'
import { createLimiterPerUser } from '../platform/async/limiter-per-user.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import { formatAddress, streetOf } from './addresses.ts'
import { readCoordinates } from './coordinates.ts'
import { fold } from './fold.ts'
import type { Geocoder } from './geocoder.ts'
import type { Found } from './geocoder-responses.ts'
import type { Places } from './places.ts'
import { NoAnswer } from './upstream.ts'

interface GeoDeps {
  /** `null`: the server sends no geocoding requests. */
  readonly geocoder: Geocoder | null
  readonly places: Places
  readonly now: () => Date
}

export interface Geo {
  findAddress(userId: UserId, latitude: number, longitude: number): Promise<FoundAddress>
  search(userId: UserId, query: string, near: { latitude: number; longitude: number } | null): Promise<FoundPlace[]>
}

/**
 * Stored in memory only: on disk it would be a record of where people have been. Each person has a cache of their own,
 * because the speed of a shared one would tell which places others have looked up.
 */
const cacheLimits = { people: 500, answersOfPerson: 40, ttlMs: 24 * 3600 * 1000 } as const
/** Decimals sent to geocoders: four are about ten meters, one is about ten kilometers. They need no more precision. */
const decimals = { place: 4, near: 1 } as const
/** How many places one user may have in the queue of the geocoder. Further requests get the result that needs no network. */
const atOnceOfUser = 4
/** A house farther away than this is a different one. */
const sameHouseKm = 0.1

export function createGeo({ geocoder, places, now }: GeoDeps): Geo {
  const addresses = createAnswers<string | null>(now)
  const searches = createAnswers<FoundPlace[]>(now)
  const limiter = createLimiterPerUser({ atOnce: atOnceOfUser, waiting: 0 })

  async function shared<T>(userId: UserId, ask: () => Promise<T>): Promise<T> {
    try {
      return await limiter.run(userId, ask)
    } catch (error) {
      throw error instanceof Refusal ? new NoAnswer('too many of this user are waiting') : error
    }
  }

  async function findAddress(userId: UserId, latitude: number, longitude: number): Promise<FoundAddress> {
    const [lat, lng] = [rounded(latitude, decimals.place), rounded(longitude, decimals.place)]
    const address =
      geocoder &&
      (await addresses.of(userId, `${lat} ${lng}`, async () =>
        addressOf(await shared(userId, () => geocoder.reverse(lat, lng)), lat, lng),
      ))
    return { address: address || (await places.near(lat, lng)) }
  }

  return {
    findAddress,
    async search(userId, query, near) {
      const point = readCoordinates(query)
      if (point !== null) {
        const { address } = await findAddress(userId, point.latitude, point.longitude)
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
        (await searches.of(userId, `${asked} ${around?.lat} ${around?.lon}`, async () =>
          presentFound(await shared(userId, () => ask(query.trim(), around, geoLimits.results))),
        ))
      return found?.length ? found : places.search(query, geoLimits.results)
    },
  }
}

/**
 * A cache of geocoder results for each person. Concurrent requests of one person for the same key share one call; a
 * failure gives `null` and is not cached.
 */
function createAnswers<Value>(now: () => Date) {
  const people = new LRUCache<UserId, ReturnType<typeof createCache>>({ max: cacheLimits.people })

  function createCache() {
    return new LRUCache<string, { value: Value }, () => Promise<Value>>({
      max: cacheLimits.answersOfPerson,
      ttl: cacheLimits.ttlMs,
      perf: { now: () => now().getTime() },
      ttlResolution: 0,
      // A request whose entry is evicted meanwhile still has callers.
      ignoreFetchAbort: true,
      fetchMethod: async (_key, _stale, { context: ask }) => ({ value: await ask() }),
    })
  }

  return {
    async of(userId: UserId, key: string, ask: () => Promise<Value>): Promise<Value | null> {
      const cache = people.get(userId) ?? createCache()
      people.set(userId, cache)
      try {
        return (await cache.fetch(key, { context: ask }))?.value ?? null
      } catch (error) {
        if (error instanceof NoAnswer) return null
        throw error
      }
    },
  }
}

function addressOf(found: Found | null, latitude: number, longitude: number): string | null {
  if (found === null) return null
  const isElsewhere =
    found.parts.houseNumber !== undefined &&
    distance(longitude, latitude, found.longitude, found.latitude) > sameHouseKm
  const near = isElsewhere ? nearPrefix : ''
  const address = formatAddress(found.parts, geoLimits.addressLength - near.length)
  return address === '' ? null : near + address
}

/** Uses the most specific part as the name and the rest as the description. */
function presentFound(found: readonly Found[]): FoundPlace[] {
  const places = found.slice(0, geoLimits.results).flatMap(({ parts, latitude, longitude }): FoundPlace[] => {
    const whole = formatAddress(parts, geoLimits.addressLength)
    const name = parts.name ?? streetOf(parts, parts.countryCode?.toUpperCase() ?? '') ?? whole.split(', ', 1)[0] ?? ''
    const address = whole.startsWith(name) ? whole.slice(name.length).replace(/^, /, '') : whole
    return name === ''
      ? []
      : [{ name: [...name].slice(0, geoLimits.nameLength).join(''), address, latitude, longitude }]
  })
  const distinct = new Map(places.map((place) => [`${place.name}\n${place.address}`, place]))
  return [...distinct.values()]
}

function rounded(degrees: number, places: number): number {
  // Adding zero turns -0 into 0, which formats differently.
  return Number(degrees.toFixed(places)) + 0
}
