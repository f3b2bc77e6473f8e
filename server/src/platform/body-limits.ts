import { type TSchema } from 'typebox'

/** Room for white space, and for fields that this version does not know. */
const slackBytes = 4 * 1024

/** As JSON: an escaped character, `\u00e9`. */
const characterBytes = 6

const numberBytes = 32
const uuidBytes = 38

interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly JsonSchema[]
  readonly maxLength?: number
  readonly maxItems?: number
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
}

/** The longest body in bytes that a call with this schema takes; `undefined` is a call without body. Throws where the schema has no bound. */
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
      return bound(schema.maxLength, path) * characterBytes + 2
    case 'array':
      return bound(schema.maxItems, path) * (bytesOf(schema.items ?? {}, `${path}[]`) + 1) + 2
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
