import pg from 'pg'

type Parse = (text: string) => unknown

/**
 * How a value is parsed, by the number of its PostgreSQL type. All other types are text, such as `bigint` and
 * `numeric`.
 */
const parsers = new Map<number, Parse>()

function register(parse: Parse, ...[type, array]: readonly [type: number, array: number]) {
  parsers.set(type, parse)
  parsers.set(array, (text) => parseArray(text, parse))
}

const parseBoolean: Parse = (text) => text === 't'
const parseDate: Parse = (text) => new Date(text)
const parseBytes: Parse = (text) => Buffer.from(text.slice(2), 'hex')
const parseText: Parse = (text) => text

register(parseBoolean, 16, 1000)
register(parseBytes, 17, 1001)
// smallint, integer, oid, real, double precision
register(Number, 21, 1005)
register(Number, 23, 1007)
register(Number, 26, 1028)
register(Number, 700, 1021)
register(Number, 701, 1022)
// json, jsonb
register(JSON.parse, 114, 199)
register(JSON.parse, 3802, 3807)
// date, timestamp, timestamptz
register(parseDate, 1082, 1182)
register(parseDate, 1114, 1115)
register(isoTime, 1184, 1185)
// text, varchar, char(n), name, bigint, numeric, uuid
register(parseText, 25, 1009)
register(parseText, 1043, 1015)
register(parseText, 1042, 1014)
register(parseText, 19, 1003)
register(parseText, 20, 1016)
register(parseText, 1700, 1231)
register(parseText, 2950, 2951)

/** The driver's parser of `text[]`. */
const parseTexts = pg.types.getTypeParser(1009 as number) as (text: string) => unknown[]

function parseArray(text: string, parse: Parse): unknown[] {
  const each = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(each) : value === null ? null : parse(value as string)
  return parseTexts(text).map(each)
}

/** How the driver parses values: timestamps become ISO 8601 in UTC with milliseconds, the form used by the API. */
export const types = {
  getTypeParser: (type: number) => parsers.get(type) ?? parseText,
} as unknown as pg.CustomTypesConfig

/** Parses a time as PostgreSQL writes it in UTC, with any number of fractional digits. */
const usual = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,3})?\+00$/

function isoTime(value: string): string {
  // Parsing it as a date would cost four times as much.
  if (!usual.test(value)) return new Date(value).toISOString()
  return `${value.slice(0, 10)}T${value.slice(11, 19)}.${value.slice(20, -3).padEnd(3, '0')}Z`
}
