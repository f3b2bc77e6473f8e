import type { ColumnType } from '@hither/contract/feeds.ts'

/**
 * Converts a value of a row into the form in which values of its type are compared: text and uuid as strings, bool as
 * boolean, float8 as number, int4 and int8 as bigint, timestamptz as Unix milliseconds. Returns `null` for NULL, an absent
 * column and an unreadable value, so that a filter fails closed.
 */
export function readValue(type: ColumnType, value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (type === 'bool' && typeof value === 'boolean') return value
  if (value instanceof Date) return parseValue(type, value.toISOString()) ?? null
  return parseValue(type, String(value)) ?? null
}

/** Converts a literal of a filter into the same form. Returns `undefined` if it is not a value of the type. */
export function parseValue(type: ColumnType, text: string): unknown {
  switch (type) {
    case 'text':
      return text
    case 'uuid':
      return uuidPattern.test(text) ? text.toLowerCase() : undefined
    case 'bool':
      return booleans.get(text.toLowerCase())
    case 'float8':
      return numberPattern.test(text) ? Number(text) : undefined
    case 'int4':
    case 'int8':
      return integerPattern.test(text) ? BigInt(text) : undefined
    case 'timestamptz':
      return parseInstant(text)
    case 'json':
      return undefined
  }
}

/**
 * Returns a negative number, zero or a positive number. Both values are results of `readValue` of one type, and not
 * `null`.
 */
export function compareValues(a: unknown, b: unknown): number {
  if (a === b) return 0
  return (a as string) < (b as string) ? -1 : 1
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const numberPattern = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i
const integerPattern = /^-?\d{1,19}$/
const instantPattern = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?)? ?(Z|[+-]\d\d(?::?\d\d)?)?$/i

const booleans = new Map([
  ...['true', 't', 'yes', 'y', 'on', '1'].map((word) => [word, true] as const),
  ...['false', 'f', 'no', 'n', 'off', '0'].map((word) => [word, false] as const),
])

/** Parses like PostgreSQL in a session set to UTC: a time without an offset is UTC, not in this machine's time zone. */
function parseInstant(text: string): number | undefined {
  const match = instantPattern.exec(text)
  if (!match) return undefined
  const [, date, minutes = '00:00', seconds = ':00', zone = 'Z'] = match
  const time = Date.parse(`${date}T${minutes}${seconds}${isoZone(zone)}`)
  return Number.isNaN(time) ? undefined : time
}

function isoZone(zone: string): string {
  if (/^z$/i.test(zone)) return 'Z'
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0')
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`
}
