import { findAddress, searchPlaces } from '@hither/contract/geo.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../api/transport.ts'
import { type Place } from './map-defaults.ts'

/** To a tenth of a degree: enough to order what is found, too little to say where somebody is. */
function roughly(degrees: number): number {
  return Math.round(degrees * 10) / 10
}

export function placesQuery(text: string, near: Place | null) {
  const q = text.trim()
  const bias = near === null ? {} : { lat: roughly(near.latitude), lng: roughly(near.longitude) }
  return queryOptions({
    queryKey: ['places', q, bias],
    queryFn: ({ signal }) => call(searchPlaces, { query: { q, ...bias } }, { signal }),
    enabled: q.length >= 2,
    staleTime: 5 * 60_000,
    retry: false,
    meta: { kept: false },
    placeholderData: keepPreviousData,
  })
}

/** Sends the place to the server: enable it only after the user has asked for the address. */
export function addressQuery(place: Place | null) {
  // As fine as the server's answers are.
  const [lat, lng] = place === null ? [0, 0] : [round(place.latitude), round(place.longitude)]
  return queryOptions({
    queryKey: ['address', lat, lng],
    queryFn: ({ signal }) => call(findAddress, { query: { lat, lng } }, { signal }),
    enabled: place !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    // Stored addresses would be a history of places.
    meta: { kept: false },
  })
}

/** The nearest four decimals, about ten metres. */
function round(degrees: number): number {
  return Math.round(degrees * 1e4) / 1e4
}
