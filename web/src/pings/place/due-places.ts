import type { ShownPlace } from '@hither/contract/areas.ts'
import type { ShownPing } from '@hither/contract/pings.ts'
import { areaOf } from '@hither/contract/runtime/areas.ts'
import type { QueryClient } from '@tanstack/react-query'
import { clientConfigQuery } from '../../api/client-config.ts'
import { serverNow } from '../../api/server-time.ts'
import { withPlace } from '../ping-changes.ts'
import { patchEveryPing } from '../pings.cache.ts'
import { isExact } from './place.rules.ts'

const hourMs = 3_600_000

/**
 * Overwrites the exact places that the server has erased by now in all copies on this device, also without a network. An older
 * server does not erase places.
 */
export function hideDuePlaces(queryClient: QueryClient) {
  const erasure = queryClient.getQueryData(clientConfigQuery().queryKey)?.erasure
  if (erasure === undefined) return
  const endedByMs = serverNow() - erasure.place_hours * hourMs
  patchEveryPing(queryClient, (ping) =>
    isExact(ping) && Date.parse(ping.expires_at) <= endedByMs ? withPlace(ping, areaOfPing(ping)) : ping,
  )
}

/** Only the server knows the nearest town. */
export function areaOfPing({ latitude, longitude, area_km }: ShownPing): ShownPlace {
  const { radius_m: place_radius_m, ...center } = areaOf(latitude, longitude, area_km)
  return { ...center, address: null, place_radius_m }
}
