import type { Address } from '../operation.ts'

export const bannerLimits = {
  textMax: 200,
  /** How far ahead a banner may end. */
  daysMax: 30,
} as const

export const bannerTexts = {
  textInvalid: 'Please enter a text of 1 to 200 characters.',
  endInvalid: 'Please choose a time within the next 30 days.',
} as const

export const getBanner = {
  method: 'GET',
  path: '/banner',
  auth: 'required',
} as const satisfies Address

export const setBanner = {
  method: 'PUT',
  path: '/admin/banner',
  auth: 'required',
} as const satisfies Address

export const removeBanner = {
  method: 'DELETE',
  path: '/admin/banner',
  auth: 'required',
} as const satisfies Address
