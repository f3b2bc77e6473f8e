import type { FieldError } from '@hither/contract/error-body.ts'
import { type FaultCode, faults } from '@hither/contract/faults.ts'
import { type RefusalCode, refusals } from '@hither/contract/refusals.ts'

/** An expected refusal, thrown from anywhere below a route and answered once, with its status and sentence from the contract. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: RefusalCode
  readonly status: number
  /** After how many seconds the same call may be made again. */
  readonly retryAfterSeconds: number | null

  constructor(code: RefusalCode, retryAfterSeconds: number | null = null) {
    super(refusals[code].detail)
    this.code = code
    this.status = refusals[code].status
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** An input that has the right shape but breaks a rule of the product: answered with 422 and the list of field errors. */
export class InvalidInput extends Error {
  override name = 'InvalidInput'
  readonly fieldErrors: readonly FieldError[]

  constructor(...fieldErrors: FieldError[]) {
    super(fieldErrors.map(({ msg }) => msg).join(' '))
    this.fieldErrors = fieldErrors
  }
}

/** Builds a `FieldError`: `fieldError('body', 'name')('ping_name_missing')`. The type is `value_error` by default. */
export function fieldError(...loc: FieldError['loc']) {
  return (code: FaultCode, type = 'value_error'): FieldError => ({ loc, msg: faults[code], type, code })
}
