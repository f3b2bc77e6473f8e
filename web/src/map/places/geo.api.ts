import type { AreaKm } from '@hither/contract/areas.ts'
import { areaOf } from '@hither/contract/runtime/areas.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'
import type { Place } from '../map-defaults.ts'

/** Rounds to 0.1 degrees: enough to rank search results, and too coarse to reveal where the user is. */
function roughly(degrees: number): number {
  return Math.round(degrees * 10) / 10
}

export function placesQuery(text: string, near: Place | null) {
  const q = text.trim()
  const bias = near === null ? {} : { lat: roughly(near.latitude), lng: roughly(near.longitude) }
  return queryOptions({
    queryKey: ['places', q, bias],
    queryFn: ({ signal }) => call('POST /geo/search', { body: { q, ...bias } }, { signal }),
    enabled: q.length >= 2,
    staleTime: 5 * 60_000,
    retry: false,
    meta: { persisted: false },
    placeholderData: keepPreviousData,
  })
}

/** Sends the place to the server: enable it only after the user has asked for the address. */
export function addressQuery(place: Place | null) {
  // As precise as the server's responses.
  const [lat, lng] = place === null ? [0, 0] : [round(place.latitude), round(place.longitude)]
  return queryOptions({
    queryKey: ['address', lat, lng],
    queryFn: ({ signal }) => call('POST /geo/reverse', { body: { lat, lng } }, { signal }),
    enabled: place !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    // Stored addresses would be a history of places.
    meta: { persisted: false },
  })
}

/** The area that people see who may not know the place. Only its center is sent, which all places of the area share. */
export function areaQuery(place: Place | null, area_km: AreaKm) {
  const { latitude: lat, longitude: lng } = areaOf(place?.latitude ?? 0, place?.longitude ?? 0, area_km)
  return queryOptions({
    queryKey: ['area', lat, lng, area_km],
    queryFn: ({ signal }) => call('POST /geo/area', { body: { lat, lng, area_km } }, { signal }),
    enabled: place !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    meta: { persisted: false },
    placeholderData: keepPreviousData,
  })
}

/** Rounds to four decimals, which is about ten metres. */
function round(degrees: number): number {
  return Math.round(degrees * 1e4) / 1e4
}
