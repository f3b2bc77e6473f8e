import { type Fault, type RefusalCode, refusals } from '@hither/contract/refusals.ts'

/** An expected refusal, thrown from anywhere below a route and answered once, with its status and sentence from the contract. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: RefusalCode
  readonly status: number
  /** When the same call may be made again. */
  readonly retryAfterSeconds: number | null

  constructor(code: RefusalCode, retryAfterSeconds: number | null = null) {
    super(refusals[code].detail)
    this.code = code
    this.status = refusals[code].status
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** An input that has the right shape but breaks a rule of the product: answered with 422 and the list of faults. */
export class InvalidInput extends Error {
  override name = 'InvalidInput'
  readonly faults: readonly Fault[]

  constructor(...faults: Fault[]) {
    super(faults.map((fault) => fault.msg).join(' '))
    this.faults = faults
  }
}

/** `fault('body', 'name')('Please enter…')`, of type `value_error` unless told. */
export function fault(...loc: Fault['loc']) {
  return (msg: string, type = 'value_error'): Fault => ({ loc, msg, type })
}
