import { deviceStorage } from '../../device/storage.ts'

const key = 'distances'
const units = ['kilometers', 'miles'] as const
export type DistanceUnit = (typeof units)[number]

/** The regions in which distances are in miles. */
const regionsWithMiles = ['US', 'GB', 'LR', 'MM']

/** Returns the unit that was chosen on this device; null for automatic. */
export function chosenUnit(): DistanceUnit | null {
  const stored = deviceStorage.getItem(key)
  return units.find((unit) => unit === stored) ?? null
}

export function chooseUnit(unit: DistanceUnit | null) {
  if (unit === null) deviceStorage.removeItem(key)
  else deviceStorage.setItem(key, unit)
}

/** Whether distances are shown in miles. Without a choice, the first preferred locale with a region decides, whatever its language. */
export function isInMiles(preferred: readonly string[], chosen = chosenUnit()): boolean {
  if (chosen !== null) return chosen === 'miles'
  const region = preferred.map((tag) => /-([a-z]{2})\b/i.exec(tag)?.[1]?.toUpperCase()).find(Boolean)
  return region !== undefined && regionsWithMiles.includes(region)
}
