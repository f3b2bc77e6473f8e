/**
 * Parses a typed point: "40.75, -73.99", "40.75 N 73.99 W", "40°45'32.0"N 73°59'06.4"W". Returns `null` for anything
 * else.
 */
export function readCoordinates(text: string): { latitude: number; longitude: number } | null {
  const [, first, second] = pair.exec(text.trim()) ?? []
  const a = readAngle(first)
  const b = readAngle(second)
  if (a === null || b === null) return null
  if (a.axis !== null && a.axis === b.axis) return null
  const isTurned = a.axis === 'longitude' || b.axis === 'latitude'
  const [latitude, longitude] = isTurned ? [b.degrees, a.degrees] : [a.degrees, b.degrees]
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null
}

interface Angle {
  readonly degrees: number
  /** The axis that the letter after the number names. */
  readonly axis: 'latitude' | 'longitude' | null
}

const number = String.raw`\d{1,3}(?:\.\d{1,15})?`
const parts = String.raw`[+-]?${number}(?:\s?°)?(?:\s?${number}\s?['′’](?:\s?${number}\s?(?:["″”]|''))?)?(?:\s?[NSEW])?`
const pair = new RegExp(`^(${parts})(?:\\s*[,;]\\s*|\\s+|(?<=[NSEW])\\s*)(${parts})$`, 'i')
const angle = new RegExp(`^([+-]?)(${number})\\D*?(?:(${number})\\s?['′’]\\D*?(?:(${number}).*?)?)?([NSEW])?$`, 'i')

function readAngle(text: string | undefined): Angle | null {
  const [whole, sign, degrees, minutes = '0', seconds = '0', letter = ''] = angle.exec(text ?? '') ?? []
  if (whole === undefined || Number(minutes) >= 60 || Number(seconds) >= 60) return null
  const side = letter.toUpperCase()
  // The sign and the letter exclude each other.
  if (sign !== '' && side !== '') return null
  const size = Number(degrees) + Number(minutes) / 60 + Number(seconds) / 3600
  const isNegative = sign === '-' || side === 'S' || side === 'W'
  const axis = side === '' ? null : side === 'N' || side === 'S' ? 'latitude' : 'longitude'
  return { degrees: isNegative && size > 0 ? -size : size, axis }
}
