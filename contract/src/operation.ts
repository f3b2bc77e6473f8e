import { type Static, type TSchema } from 'typebox'
import { type RefusalCode } from './refusals.ts'

/**
 * So many calls (`max`) at once, and as many again within `seconds`, of one network address, of one signed-in person, of
 * one network address among those who are not signed in (`visitor`), or about one e-mail address of the body, whoever asks
 * or each network address for itself.
 */
export interface RateLimit {
  readonly by: 'address' | 'person' | 'visitor' | 'email' | 'email_and_address'
  readonly max: number
  readonly seconds: number
}

/**
 * One HTTP call, as registered by the server and made by the client.
 * `path` is below `/api`, with `:name` for parameters. `replies` lists the successful answers by status.
 * `auth`: `required` answers 401 without a valid token; `optional` takes a viewer where there is one; `none` never looks.
 */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly auth: 'required' | 'optional' | 'none'
  readonly params?: TSchema
  readonly query?: TSchema
  readonly body?: TSchema
  /** The body is `multipart/form-data` with one file in the field `file`, of so many bytes at most, else the refusal. */
  readonly upload?: { readonly maxBytes: number; readonly tooLarge: RefusalCode }
  /** The media type of a reply that is bytes and not JSON. Such a reply has an `ETag`, and is a 304 to whoever names it. */
  readonly content?: string
  /** The name of the file that a reply is saved as. */
  readonly download?: string
  readonly replies: Readonly<Record<number, TSchema>>
  readonly refusals?: readonly RefusalCode[]
  /** Asked in this order; the first that is used up refuses the call with `rate_limited`. */
  readonly rateLimits?: readonly RateLimit[]
}

type Part<O extends Operation, Key extends 'params' | 'query' | 'body'> = O extends {
  readonly [K in Key]: infer S extends TSchema
}
  ? { [K in Key]: Static<S> }
  : unknown

/** What a caller gives: only the parts that the operation names. */
export type Input<O extends Operation> = Part<O, 'params'> & Part<O, 'query'> & Part<O, 'body'>

/** What a successful call answers with; `null` where it is a 204. */
export type Reply<O extends Operation> = Static<O['replies'][keyof O['replies'] & number]>
