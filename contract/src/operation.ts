import type { Static, TSchema } from 'typebox'
import type { RefusalCode } from './refusals.ts'
import { type Address, type Method, splitAddress } from './runtime/address.ts'

/**
 * A token bucket: `max` calls at once, refilled completely within `seconds`. `by` selects the bucket: the network address,
 * the signed-in user (`person`), the network address of callers who are not signed in (`visitor`), the e-mail address in the
 * body (`email`), or the network address together with the e-mail address (`email_and_address`) or with the path parameter
 * `id` (`address_and_id`). Operations whose limits have the same `group` are counted together.
 */
export interface RateLimit {
  readonly by: 'address' | 'person' | 'visitor' | 'email' | 'email_and_address' | 'address_and_id'
  readonly max: number
  readonly seconds: number
  readonly group?: string
  /** The refusal of a call above this limit; without it `rate_limited`. */
  readonly refusal?: RefusalCode
}

/** The longest body of an operation in bytes. */
export const bodyBytesMax = 64 * 1024

/** The longest body of an operation that names people. */
export const listBytesMax = 256 * 1024

/** The error of a field with status 422: its code and its text. */
export interface Fault {
  readonly type: string
  readonly msg: string
}

/**
 * One HTTP operation, as the server registers it. `replies` lists the successful replies by status.
 * `auth`: `required` replies 401 without a valid token; `optional` uses the caller if there is one, and lets the feature check
 * a guest token; `guest` expects a guest token (`Authorization: Guest TOKEN`), which the feature checks; `none` ignores tokens.
 */
export interface Operation {
  readonly address: Address
  readonly auth: 'required' | 'optional' | 'guest' | 'none'
  /** The body is `multipart/form-data` with one file in the field `file`. A file of more than `maxBytes` gets the refusal `tooLarge`. */
  readonly upload?: { readonly maxBytes: number; readonly tooLarge: RefusalCode }
  /** The media type of a reply that is bytes and not JSON. Such a reply has an `ETag`; a request with a matching `If-None-Match` gets a 304. */
  readonly content?: string
  /** The file name under which browsers save the reply. */
  readonly download?: string
  readonly tag: string
  readonly summary: string
  /** Kept for clients of the previous release. */
  readonly deprecated?: true
  readonly params?: TSchema
  readonly query?: TSchema
  readonly body?: TSchema
  /** The longest body in bytes, if `bodyBytesMax` is not enough. A longer one is refused before it is read. */
  readonly bodyMaxBytes?: number
  /** The request may have no body, which counts as one without fields. */
  readonly isBodyOptional?: boolean
  readonly replies: Readonly<Record<number, TSchema>>
  readonly refusals?: readonly RefusalCode[]
  /**
   * The errors that replace the general ones of a field, whatever is wrong with it. The key is its place, for example
   * `body.emoji`. The bounds of the schema are then not exact: a rule of the server has the same error for the exact ones.
   */
  readonly faults?: Readonly<Record<string, Fault>>
  /** Checked in this order. The first exhausted limit refuses the call with `rate_limited`. */
  readonly rateLimits?: readonly RateLimit[]
}

type InAddress<A extends Address> = A extends `${Method} ${infer Path extends `/${string}`}` ? `GET ${Path}` : never

/**
 * The former form of an operation, whose input is in the address, which proxies log. It counts against the same limits, so
 * these have a `group`.
 */
export function inAddress<O extends Operation & { readonly body: TSchema }>({
  body,
  faults,
  address,
  ...operation
}: O) {
  const moved = Object.entries(faults ?? {}).map(([place, fault]) => [place.replace(/^body/, 'query'), fault])
  return {
    ...operation,
    address: `GET ${splitAddress(address).path}` as InAddress<O['address']>,
    query: body as O['body'],
    ...(faults && { faults: Object.fromEntries(moved) as Record<string, Fault> }),
    deprecated: true as const,
  }
}

type Part<O extends Operation, Key extends 'params' | 'query' | 'body'> = O extends {
  readonly [K in Key]: infer S extends TSchema
}
  ? { [K in Key]: Static<S> }
  : unknown

/** The input of a call: only the parts that the operation declares. */
export type Input<O extends Operation> = Part<O, 'params'> & Part<O, 'query'> & Part<O, 'body'>

/** The input with which a client calls an operation: a query without required fields may be left out. */
export type CallInput<O extends Operation> = Part<O, 'params'> &
  Part<O, 'body'> &
  (Part<O, 'query'> extends { readonly query: infer Q }
    ? object extends Q
      ? { readonly query?: Q }
      : { readonly query: Q }
    : unknown)

/** The body of a successful reply; `null` for a 204. */
export type Reply<O extends Operation> = Static<O['replies'][keyof O['replies'] & number]>
