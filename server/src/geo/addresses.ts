/** The parts of an address as geocoders return them. Every part may be missing. */
export interface AddressParts {
  readonly name?: string | undefined
  readonly houseNumber?: string | undefined
  readonly street?: string | undefined
  /** A part of the city. Shown only without a street. */
  readonly district?: string | undefined
  readonly city?: string | undefined
  readonly state?: string | undefined
  readonly postcode?: string | undefined
  readonly country?: string | undefined
  readonly countryCode?: string | undefined
}

/** Countries that write the house number before the street, and countries that write the postcode after the city. */
const numberFirst = new Set('US CA GB IE AU NZ IN ZA SG HK MY PH TH FR LU MC IL'.split(' '))
const postcodeLast = new Set('US CA GB IE AU NZ IN ZA SG TH IL'.split(' '))

/**
 * Formats an address in one line, from the most specific part to the least. Empty if nothing is known. At most `most`
 * characters.
 */
export function formatAddress(parts: AddressParts, most: number): string {
  const { name, district, city, state, postcode, country } = parts
  const code = parts.countryCode?.toUpperCase() ?? ''
  const street = streetOf(parts, code)
  const [town, region] = postcodeLast.has(code) ? [city, joined(state, postcode)] : [joined(postcode, city), state]
  const lines = [name, street, street ? undefined : district, town, region, country]
  const known = lines.filter((line): line is string => line !== undefined && line !== '')
  return [...known.filter((line, i) => line !== known[i - 1]).join(', ')].slice(0, most).join('')
}

/** Returns the street with the house number: "350 5th Avenue", "Unter den Linden 77". */
export function streetOf({ street, houseNumber }: AddressParts, code: string): string | undefined {
  if (street === undefined) return undefined
  return numberFirst.has(code) ? joined(houseNumber, street) : joined(street, houseNumber)
}

function joined(...words: (string | undefined)[]): string | undefined {
  return words.filter((word) => word !== undefined && word !== '').join(' ') || undefined
}
