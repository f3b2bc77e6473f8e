/** The parts of an address as geocoders give them, any of them missing. */
export interface AddressParts {
  readonly name?: string | undefined
  readonly houseNumber?: string | undefined
  readonly street?: string | undefined
  /** A part of the city; told only where there is no street. */
  readonly district?: string | undefined
  readonly city?: string | undefined
  readonly state?: string | undefined
  readonly postcode?: string | undefined
  readonly country?: string | undefined
  readonly countryCode?: string | undefined
}

/** Where the house comes before the street, and where the postcode comes after the city. */
const numberFirst = new Set('US CA GB IE AU NZ IN ZA SG HK MY PH TH FR LU MC IL'.split(' '))
const postcodeLast = new Set('US CA GB IE AU NZ IN ZA SG TH IL'.split(' '))

/** On one line, from the narrow to the wide; empty where nothing is known. Never longer than `most` characters. */
export function formatAddress(parts: AddressParts, most: number): string {
  const { name, district, city, state, postcode, country } = parts
  const code = parts.countryCode?.toUpperCase() ?? ''
  const street = streetOf(parts, code)
  const [town, region] = postcodeLast.has(code) ? [city, joined(state, postcode)] : [joined(postcode, city), state]
  const lines = [name, street, street ? undefined : district, town, region, country]
  const told = lines.filter((line): line is string => line !== undefined && line !== '')
  return [...told.filter((line, i) => line !== told[i - 1]).join(', ')].slice(0, most).join('')
}

/** "350 5th Avenue", "Unter den Linden 77". */
export function streetOf({ street, houseNumber }: AddressParts, code: string): string | undefined {
  if (street === undefined) return undefined
  return numberFirst.has(code) ? joined(houseNumber, street) : joined(street, houseNumber)
}

function joined(...words: (string | undefined)[]): string | undefined {
  return words.filter((word) => word !== undefined && word !== '').join(' ') || undefined
}
