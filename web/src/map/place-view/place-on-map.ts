import type { Place } from '../map-defaults.ts'

export interface PlaceOnMap extends Place {
  /** The radius of the area, which is shown as a circle. Null for a pin at the exact place. */
  radiusM: number | null
  /** Whether the pin has the color of the viewer's own pins. */
  isOwn: boolean
  /** What screen readers read of the map. */
  name: string
}
