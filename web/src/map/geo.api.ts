import { findAddress, searchPlaces } from '@hither/contract/geo.ts'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../api/transport.ts'
import { coordinatesText } from './coordinates.ts'
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
    placeholderData: keepPreviousData,
  })
}

export function addressQuery(place: Place | null) {
  // As fine as the server's answers are.
  const [lat, lng] = place === null ? [0, 0] : [round(place.latitude), round(place.longitude)]
  return queryOptions({
    queryKey: ['address', lat, lng],
    queryFn: ({ signal }) => call(findAddress, { query: { lat, lng } }, { signal }),
    enabled: place !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
}

/**
 * What is at a place, in words; its coordinates where nothing is known, or nobody answers. `address` is what a ping may
 * take along: null until there is one, and where there is none.
 */
export function useReverseAddress(place: Place | null) {
  const { data, isFetching } = useQuery(addressQuery(place))
  const address = (place !== null && data?.address) || null
  return { address, isLoading: isFetching, text: place === null ? null : (address ?? coordinatesText(place)) }
}

/** The nearest four decimals, about ten metres. */
function round(degrees: number): number {
  return Math.round(degrees * 1e4) / 1e4
}
