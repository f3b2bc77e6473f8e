import type { Address } from '../../operation.ts'

export const messageSearchLimits = {
  /** In code points, after trimming. */
  queryMin: 2,
  queryMax: 100,
  pageDefault: 20,
  pageMax: 50,
  cursorMax: 200,
} as const

/** The words of a text that a search compares: letters, marks and digits without the marks that select the form of an emoji. */
export const searchedWords = /(?:(?![\u20e3\ufe00-\ufe0f])[\p{L}\p{M}\p{N}])+/gu

export const searchMessages = {
  method: 'GET',
  path: '/messages/search',
  auth: 'required',
} as const satisfies Address
