export const geoLimits = {
  /** The longest address of a ping. */
  addressLength: 300,
  nameLength: 120,
  queryLength: 120,
  results: 8,
} as const

/** The English beginning of an address of which only something near is known. Each reader is shown it in their language. */
export const nearPrefix = 'near '
