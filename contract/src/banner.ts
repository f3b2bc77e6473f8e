import { type Static, Type } from 'typebox'
import type { Operation } from './operation.ts'
import * as runtime from './runtime/banner.ts'
import { InstantInput, NoContent, Timestamp, text } from './values.ts'

/** A short text of an administrator, which everyone who is signed in sees until it ends. Plain text: nothing in it is a link. */
export const Banner = Type.Object({ text: Type.String(), ends_at: Timestamp, updated_at: Timestamp })
export type Banner = Static<typeof Banner>

// A rule of the server checks the exact bounds of both.
export const NewBanner = Type.Object({
  text: text({ maxLength: 4 * runtime.bannerLimits.textMax }),
  ends_at: InstantInput,
})
export type NewBanner = Static<typeof NewBanner>

const hour = 3600
/** Shared by setting and removing. */
const changeLimit = { by: 'person', max: 60, seconds: hour, group: 'banner' } as const

export const getBanner = {
  address: 'GET /banner',
  auth: 'required',
  tag: 'service',
  summary: 'Get the banner of this server; null if there is none',
  replies: { 200: Type.Object({ banner: Type.Union([Banner, Type.Null()]) }) },
  rateLimits: [{ by: 'person', max: 600, seconds: hour }],
} as const satisfies Operation

export const setBanner = {
  address: 'PUT /admin/banner',
  auth: 'required',
  tag: 'admin',
  summary: 'Admins: show a banner until a time at most 30 days ahead, instead of the current one',
  body: NewBanner,
  replies: { 200: Banner },
  refusals: ['route_not_found'],
  faults: {
    'body.text': { type: 'banner_text_invalid', msg: runtime.bannerTexts.textInvalid },
    'body.ends_at': { type: 'banner_end_invalid', msg: runtime.bannerTexts.endInvalid },
  },
  rateLimits: [changeLimit],
} as const satisfies Operation

export const removeBanner = {
  address: 'DELETE /admin/banner',
  auth: 'required',
  tag: 'admin',
  summary: 'Admins: remove the banner; idempotent',
  replies: { 204: NoContent },
  refusals: ['route_not_found'],
  rateLimits: [changeLimit],
} as const satisfies Operation
