import { Ajv, type ErrorObject, type Options } from 'ajv'
import addFormats from 'ajv-formats'
import { type FastifyInstance } from 'fastify'

/** How many faults of one input a refusal names. */
export const faultsMax = 20

/** Levels of a body that its schema looks at: none of the contract has more. */
const depthMax = 8

/**
 * Validates bodies without coercion, and reads numbers and booleans out of paths and queries. What is wrong with an input is
 * found in two steps, so that invalid input costs no more than valid input: the first stops at the first fault, the second
 * collects all faults of a copy whose lists are cut to `faultsMax` items.
 */
export function validateInputs(app: FastifyInstance): void {
  const options: Options = { allowUnionTypes: true, strict: true, keywords: [], useDefaults: false }
  const ofBody: Options = { ...options, removeAdditional: 'all' }
  // Texts of an address (path and query) have no types but text, so numbers and booleans are read out of them.
  // Under strictNumbers an `Infinity` there is a number, but one that Ajv holds against neither minimum nor maximum.
  const ofAddress: Options = { ...options, coerceTypes: true, strictNumbers: false }
  const [body, address] = [pairOf(ofBody), pairOf(ofAddress)]
  app.setValidatorCompiler(({ schema, httpPart }) => {
    const { first, all } = httpPart === 'body' ? body : address
    return (data: unknown) => {
      const validate = first.compile(schema as object)
      if (validate(data)) return true
      return { error: listFaults(all, schema as object, data) ?? validate.errors ?? [] }
    }
  })
}

/** Two validators of the same rules: one that stops at the first fault, one that goes on. */
function pairOf(options: Options): { first: Ajv; all: Ajv } {
  const [first, all] = [new Ajv(options), new Ajv({ ...options, allErrors: true })]
  for (const ajv of [first, all]) {
    addFormats.default(ajv)
    // Ajv's own takes `urn:uuid:…` as well, which PostgreSQL does not.
    ajv.addFormat('uuid', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)
  }
  return { first, all }
}

/** `null` where the fault is beyond what the copy holds. */
function listFaults(all: Ajv, schema: object, data: unknown): ErrorObject[] | null {
  const validate = all.compile(schema)
  return validate(shorten(data, depthMax)) ? null : (validate.errors ?? []).slice(0, faultsMax)
}

function shorten(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth === 0) return value
  if (Array.isArray(value)) return value.slice(0, faultsMax).map((item) => shorten(item, depth - 1))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shorten(item, depth - 1)]))
}
