import type { Address } from '../../operation.ts'

export const messageSearchLimits = {
  /** In code points, after trimming. */
  queryMin: 2,
  queryMax: 100,
  pageDefault: 20,
  pageMax: 50,
  cursorMax: 200,
} as const

export const searchMessages = {
  method: 'GET',
  path: '/messages/search',
  auth: 'required',
} as const satisfies Address
