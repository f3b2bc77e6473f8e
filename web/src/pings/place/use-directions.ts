import type { ShownPing } from '@hither/contract/pings.ts'
import { useQuery } from '@tanstack/react-query'
import { clientConfigQuery } from '../../api/client-config.ts'
import { directionsAddress } from './directions.ts'
import { isExact } from './place.rules.ts'

type Target = Pick<ShownPing, 'name' | 'latitude' | 'longitude' | 'place_radius_m'>

/** Returns the properties of a link to the directions; null if the viewer does not know the exact place. */
export function useDirections(ping: Target) {
  const template = useQuery(clientConfigQuery()).data?.directions_url
  if (template === undefined || !isExact(ping)) return null
  return {
    component: 'a',
    href: directionsAddress(ping, template),
    target: '_blank',
    rel: 'noopener noreferrer',
  } as const
}
