import { type UserId } from '@hither/contract/ids.ts'
import { type DurationMinutes, pingLimits, pingTexts } from '@hither/contract/pings.ts'
import { type Fault } from '@hither/contract/refusals.ts'
import { type Place } from '../map/map-defaults.ts'
import { type NewPing } from './ping-shapes.ts'
import { createStrings } from './strings.ts'
import { momentOfLocalInput, shortTime } from './times.ts'

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
  responsesVisible: true,
  isPublic: false,
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

/** What goes to the server. `recipient_ids` is left out for all friends: the server knows best who they are by then. */
export function newPingOf(form: PingForm, place: Place): NewPing {
  const message = form.message.trim()
  return {
    name: form.name.trim(),
    latitude: place.latitude,
    longitude: place.longitude,
    duration_minutes: form.duration,
    is_public: form.isPublic,
    responses_visible: form.responsesVisible,
    ...(message !== '' && { message }),
    ...(form.audience === 'selected' && { recipient_ids: form.recipientIds }),
    ...(form.isScheduled && { activates_at: new Date(momentOfLocalInput(form.startsAt)).toISOString() }),
  }
}

/** Who will see it, and how long: "12 friends, until 21:40". `null` while that cannot be said. */
export function audienceSentence(form: PingForm, { friendsCount, nowMs }: PingFormContext): string | null {
  const count = form.audience === 'all' ? friendsCount : form.recipientIds.length
  if (count === null) return null
  const people = [count > 0 && createStrings.friendsCount(count), form.isPublic && createStrings.andAnyone].filter(
    Boolean,
  )
  if (people.length === 0) return null

  const startMs = form.isScheduled ? momentOfLocalInput(form.startsAt) : nowMs
  if (Number.isNaN(startMs)) return null
  const end = shortTime(startMs + form.duration * 60_000, startMs)
  const time = form.isScheduled ? createStrings.between(shortTime(startMs, nowMs), end) : createStrings.until(end)
  return `${people.join(` ${createStrings.and} `)}, ${time}`
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
