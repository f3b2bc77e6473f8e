import { nearPrefix } from '@hither/contract/runtime/geo.ts'
import { t } from '../../i18n/translate.ts'
import type { Place } from '../map-defaults.ts'
import { coordinatesText } from './coordinates.ts'

/** Returns an address without the "near" that the server puts in front of a town. */
export function townOf(address: string): string {
  return address.startsWith(nearPrefix) ? address.slice(nearPrefix.length) : address
}

/** "near Hoboken", in the language of the page. */
export function nearText(town: string): string {
  return t('pings.area.near', { town })
}

/** Returns an address as it is shown, with the server's "near" in the language of the page. */
export function addressText(address: string): string {
  const town = townOf(address)
  return town === address ? address : nearText(town)
}

/** Returns the address of a place as it is shown, or its coordinates. */
export function addressOrCoordinates({ address, ...place }: Place & { address: string | null }): string {
  return address === null ? coordinatesText(place) : addressText(address)
}
