import { type Static, Type } from 'typebox'
import type { Operation } from './operation.ts'
import * as runtime from './runtime/stored-data.ts'
import { nullable, oneOf, Timestamp } from './values.ts'

export const StoredItem = Type.Object({
  kind: oneOf(runtime.storedKinds),
  count: Type.Integer(),
  oldest_at: nullable(Timestamp),
  erasure: oneOf(['date', 'you', 'account']),
  first_erased_at: nullable(Timestamp),
  last_erased_at: nullable(Timestamp),
})
export type StoredItem = Static<typeof StoredItem>

/** What the server stores about the caller, as counts and times only. */
export const StoredData = Type.Object({
  as_of: Timestamp,
  backup_keep_days: nullable(Type.Integer({ description: 'Null if the server makes no backups' })),
  items: Type.Array(StoredItem, {
    maxItems: runtime.storedKinds.length,
    description: 'Without the kinds of which nothing is stored',
  }),
})
export type StoredData = Static<typeof StoredData>

export const getStoredData = {
  address: 'GET /users/me/stored-data',
  auth: 'required',
  tag: 'users',
  summary: 'Count what the server stores about the caller, and when it is erased',
  replies: { 200: StoredData },
  rateLimits: [{ by: 'person', max: 30, seconds: 3600 }],
} as const satisfies Operation
