import { type UserId } from '@hither/contract/ids.ts'
import { type DurationMinutes, pingLimits, pingTexts, quickPin } from '@hither/contract/pings.ts'
import { type Fault } from '@hither/contract/refusals.ts'
import { type Place } from '../map/map-defaults.ts'
import { audienceText } from './audience.ts'
import { type NewPing } from './ping-shapes.ts'
import { createStrings } from './strings.ts'
import { momentOfLocalInput } from './times.ts'

export interface PingForm {
  name: string
  message: string
  duration: DurationMinutes
  audience: 'all' | 'selected'
  recipientIds: UserId[]
  isScheduled: boolean
  /** As a `datetime-local` field holds it. */
  startsAt: string
  responsesVisible: boolean
  isPublic: boolean
  groupChat: boolean
}

export type PingFormFaults = Partial<Record<keyof PingForm | 'place', string>>

/** What the form is judged by besides itself. */
export interface PingFormContext {
  place: Place | null
  /** `null` while it is not known. */
  friendsCount: number | null
  nowMs: number
}

export const emptyPingForm: PingForm = {
  name: '',
  message: '',
  duration: pingLimits.durationDefaultMinutes,
  audience: 'all',
  recipientIds: [],
  isScheduled: false,
  startsAt: '',
  responsesVisible: quickPin.responses_visible,
  isPublic: quickPin.is_public,
  groupChat: true,
}

/** What is wrong, by field; the same sentences as the server's. */
export function faultsOf(form: PingForm, { place, friendsCount, nowMs }: PingFormContext): PingFormFaults {
  const name = form.name.trim()
  const faults: PingFormFaults = {}
  if (name === '') faults.name = pingTexts.nameMissing
  else if (lengthOf(name) > pingLimits.nameMax) faults.name = pingTexts.nameTooLong
  if (lengthOf(form.message.trim()) > pingLimits.messageMax) faults.message = createStrings.messageTooLong
  if (place === null) faults.place = pingTexts.locationMissing
  if (form.audience === 'all' && friendsCount === 0 && !form.isPublic) faults.audience = pingTexts.noFriends
  if (form.audience === 'selected' && form.recipientIds.length === 0) faults.recipientIds = pingTexts.noRecipients
  if (form.isScheduled && !isValidStart(momentOfLocalInput(form.startsAt), nowMs))
    faults.startsAt = pingTexts.scheduleInvalid
  return faults
}

function isValidStart(atMs: number, nowMs: number): boolean {
  return atMs > nowMs && atMs <= nowMs + pingLimits.scheduleHorizonMs
}

/** What goes to the server, with the address of the place where one is known. `recipient_ids` is left out for all friends: the server knows best who they are by then. */
export function newPingOf(form: PingForm, place: Place, address: string | null = null): NewPing {
  const message = form.message.trim()
  return {
    name: form.name.trim(),
    latitude: place.latitude,
    longitude: place.longitude,
    duration_minutes: form.duration,
    is_public: form.isPublic,
    responses_visible: form.responsesVisible,
    ...(message !== '' && { message }),
    ...(address !== null && { address }),
    ...(form.audience === 'selected' && { recipient_ids: form.recipientIds }),
    ...(form.isScheduled && { activates_at: new Date(momentOfLocalInput(form.startsAt)).toISOString() }),
  }
}

/** Offered where there is more than one person to talk to. */
export function offersGroupChat(form: PingForm, context: PingFormContext): boolean {
  return (recipientsCountOf(form, context) ?? 0) > 1
}

/** Who will see it, and how long: "12 friends, until 21:40". `null` while that cannot be said. */
export function audienceSentence(form: PingForm, context: PingFormContext): string | null {
  const count = recipientsCountOf(form, context)
  const startMs = form.isScheduled ? momentOfLocalInput(form.startsAt) : context.nowMs
  if (count === null || count + Number(form.isPublic) === 0 || Number.isNaN(startMs)) return null
  const endMs = startMs + form.duration * 60_000
  return audienceText({ count, isPublic: form.isPublic, startMs, endMs }, context.nowMs)
}

/** `null` while it is not known how many friends there are. */
function recipientsCountOf(form: PingForm, { friendsCount }: PingFormContext): number | null {
  return form.audience === 'all' ? friendsCount : form.recipientIds.length
}

const fieldsOfBody: Record<string, keyof PingFormFaults> = {
  name: 'name',
  message: 'message',
  duration_minutes: 'duration',
  recipient_ids: 'recipientIds',
  activates_at: 'startsAt',
  latitude: 'place',
  longitude: 'place',
}

/** The server's faults beside the fields they are about. */
export function faultsOfServer(faults: readonly Fault[]): PingFormFaults {
  return Object.fromEntries(
    faults.flatMap(({ loc, msg }) => {
      const field = fieldsOfBody[String(loc[1])]
      return field === undefined ? [] : [[field, msg]]
    }),
  )
}

/** In code points, as the server counts: one emoji is one. */
export function lengthOf(text: string): number {
  return [...text].length
}
