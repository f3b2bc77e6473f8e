import { isEmailAddress } from '@hither/contract/runtime/identifiers.ts'
import { isUuid } from '@hither/contract/runtime/uuid.ts'
import { readInstant } from '@hither/contract/values.ts'
import { Ajv, type ErrorObject, type Options } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'

/** The maximum number of field errors in a response. */
export const fieldErrorsMax = 20

/** The number of levels of a body that are copied: no schema of the contract has more. */
const depthMax = 8

/**
 * Validates bodies without coercion, and converts numbers and booleans of paths and queries. Validation has two steps,
 * so that invalid input costs no more than valid input: the first stops at the first fieldError, the second collects all
 * errors of a copy whose lists are cut to `fieldErrorsMax` items.
 */
export function validateInputs(app: FastifyInstance): void {
  const options: Options = { allowUnionTypes: true, strict: true, useDefaults: false }
  const ofBody: Options = { ...options, removeAdditional: 'all' }
  // Paths and queries contain only text, which is converted to numbers and booleans.
  // Under strictNumbers an `Infinity` there would be a number that Ajv compares with neither minimum nor maximum.
  const ofAddress: Options = { ...options, coerceTypes: true, strictNumbers: false }
  const [body, address] = [pairOf(ofBody), pairOf(ofAddress)]
  app.setValidatorCompiler(({ schema, httpPart }) => {
    const { first, all } = httpPart === 'body' ? body : address
    return (data: unknown) => {
      const validate = first.compile(schema as object)
      if (validate(data)) return true
      return { error: listErrors(all, schema as object, data) ?? validate.errors ?? [] }
    }
  })
}

/** Two validators with the same rules: one stops at the first fieldError, one continues. */
function pairOf(options: Options): { first: Ajv; all: Ajv } {
  const [first, all] = [new Ajv(options), new Ajv({ ...options, allErrors: true })]
  for (const ajv of [first, all]) {
    addFormats.default(ajv)
    ajv.addFormat('email', isEmailAddress)
    // Ajv's own takes leap seconds and offsets without minutes, which JavaScript cannot read.
    ajv.addFormat('date-time', (text: string) => readInstant(text) !== null)
    // Ajv's own takes `urn:uuid:…` as well, which PostgreSQL does not.
    ajv.addFormat('uuid', isUuid)
  }
  return { first, all }
}

/** `null` if the error is beyond the copied part. */
function listErrors(all: Ajv, schema: object, data: unknown): ErrorObject[] | null {
  const validate = all.compile(schema)
  return validate(shorten(data, depthMax)) ? null : (validate.errors ?? []).slice(0, fieldErrorsMax)
}

function shorten(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth === 0) return value
  if (Array.isArray(value)) return value.slice(0, fieldErrorsMax).map((item) => shorten(item, depth - 1))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shorten(item, depth - 1)]))
}
