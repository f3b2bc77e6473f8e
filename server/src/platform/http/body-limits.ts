import type { TSchema } from 'typebox'

/** Allows white space, and fields that this version does not know. */
const slackBytes = 4 * 1024

/** The length of an escaped character in JSON, `\u00e9`. */
const characterBytes = 6

const numberBytes = 32
const uuidBytes = 38

/** Keywords of schemas that only limit the length of the body. */
export const bodyLimitKeywords = ['x-bodyLength', 'x-bodyItems']

interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly JsonSchema[]
  readonly maxLength?: number
  readonly maxItems?: number
  /** Replace `maxLength` and `maxItems` in the sum where a rule refuses longer values with a text of its own. */
  readonly 'x-bodyLength'?: number
  readonly 'x-bodyItems'?: number
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
}

/**
 * Returns the maximum length in bytes of a body with this schema; `undefined` means a call without a body. Throws if
 * the schema is not bounded.
 */
export function bodyBytesMax(schema: TSchema | undefined): number {
  return slackBytes + (schema === undefined ? 0 : bytesOf(schema as JsonSchema, 'body'))
}

function bytesOf(schema: JsonSchema, path: string): number {
  if (schema.anyOf) return Math.max(...schema.anyOf.map((option) => bytesOf(option, path)))
  const words = schema.enum ?? ('const' in schema ? [schema.const] : null)
  if (words !== null) return Math.max(...words.map((word) => JSON.stringify(word).length), 'null'.length)
  const types = [schema.type ?? []].flat()
  return Math.max(...types.map((type) => bytesOfType(type, schema, path)))
}

function bytesOfType(type: string, schema: JsonSchema, path: string): number {
  switch (type) {
    case 'string':
      if (schema.format === 'uuid') return uuidBytes
      return bound(schema.maxLength ?? schema['x-bodyLength'], path) * characterBytes + 2
    case 'array':
      return bound(schema.maxItems ?? schema['x-bodyItems'], path) * (bytesOf(schema.items ?? {}, `${path}[]`) + 1) + 2
    case 'object':
      return Object.entries(schema.properties ?? {}).reduce(
        (sum, [key, value]) => sum + key.length + 4 + bytesOf(value, `${path}.${key}`),
        2,
      )
    case 'number':
    case 'integer':
      return numberBytes
    case 'boolean':
    case 'null':
      return 'false'.length
    default:
      throw new Error(`The schema at ${path} has no type with a bound`)
  }
}

function bound(limit: number | undefined, path: string): number {
  if (limit === undefined) throw new Error(`The schema at ${path} has no bound`)
  return limit
}
