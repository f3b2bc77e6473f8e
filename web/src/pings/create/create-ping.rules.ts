import type { AreaKm, ExactPlaceFor } from '@hither/contract/areas.ts'
import type { FieldError } from '@hither/contract/error-body.ts'
import type { DurationMinutes, GuestPolicy } from '@hither/contract/pings.ts'
import { pingLimits, quickPin } from '@hither/contract/runtime/pings.ts'
import type { CircleMembers } from '../../circles/circles.rules.ts'
import { t } from '../../i18n/translate.ts'
import type { Place } from '../../map/map-defaults.ts'
import { momentOfLocalInput } from '../../ui/local-input.ts'
import { lengthOf } from '../../ui/text-length.ts'
import { audienceText } from '../audience.ts'
import type { NewPing } from '../ping-shapes.ts'
import { audienceInput, type ChosenAudience, recipientsCount } from './audience/audience.rules.ts'

export interface PingForm extends ChosenAudience {
  name: string
  /** The default name of an unnamed ping that is dropped again. It stays unnamed as long as this is the name. */
  defaultName: string | null
  message: string
  duration: DurationMinutes
  isScheduled: boolean
  /** The value of a `datetime-local` field. */
  startsAt: string
  responsesVisible: boolean
  isPublic: boolean
  guestPolicy: GuestPolicy
  exactPlaceFor: ExactPlaceFor
  areaKm: AreaKm
  groupChat: boolean
}

export type PingFormErrors = Partial<Record<keyof PingForm | 'place', string>>

/** What the validation needs besides the form. */
interface PingFormContext {
  place: Place | null
  /** `null` while it is unknown. */
  friendsCount: number | null
  /** Empty while they are unknown. */
  circles: readonly CircleMembers[]
  nowMs: number
}

export const emptyPingForm: PingForm = {
  name: '',
  defaultName: null,
  message: '',
  duration: pingLimits.durationDefaultMinutes,
  audience: 'all',
  circleIds: [],
  recipientIds: [],
  isScheduled: false,
  startsAt: '',
  responsesVisible: quickPin.responses_visible,
  isPublic: quickPin.is_public,
  guestPolicy: 'open',
  exactPlaceFor: 'invited',
  areaKm: 1,
  groupChat: true,
}

/** Returns the errors by field, with the same texts as the server's. */
export function pingFormErrors(form: PingForm, context: PingFormContext): PingFormErrors {
  const { place, friendsCount, nowMs } = context
  const name = form.name.trim()
  const fieldErrors: PingFormErrors = {}
  if (name === '') fieldErrors.name = t('pings.nameMissing')
  else if (lengthOf(name) > pingLimits.nameMax) fieldErrors.name = t('pings.nameTooLong')
  if (lengthOf(form.message.trim()) > pingLimits.messageMax)
    fieldErrors.message = t('pings.create.messageTooLong', { limit: pingLimits.messageMax })
  if (place === null) fieldErrors.place = t('pings.locationMissing')
  if (form.audience === 'all' && friendsCount === 0 && !form.isPublic) fieldErrors.audience = t('pings.noFriends')
  if (form.audience !== 'all' && recipientsCount(form, context) === 0)
    fieldErrors.recipientIds = t('pings.noRecipients')
  if (form.isScheduled && !isValidStart(momentOfLocalInput(form.startsAt), nowMs))
    fieldErrors.startsAt = t('pings.scheduleInvalid')
  return fieldErrors
}

function isValidStart(atMs: number, nowMs: number): boolean {
  return atMs > nowMs && atMs <= nowMs + pingLimits.scheduleHorizonMs
}

/** Returns the request body. An address that is `undefined` is left to the server, and `null` asks for none. */
export function newPingOf(form: PingForm, place: Place, address?: string | null): NewPing {
  const message = form.message.trim()
  return {
    name: form.name.trim(),
    ...(form.name.trim() === form.defaultName && { is_unnamed: true }),
    latitude: place.latitude,
    longitude: place.longitude,
    duration_minutes: form.duration,
    is_public: form.isPublic,
    responses_visible: form.responsesVisible,
    exact_place_for: form.exactPlaceFor,
    area_km: form.areaKm,
    ...(form.isPublic && { guest_policy: form.guestPolicy }),
    ...(message !== '' && { message }),
    ...(address !== undefined && { address }),
    ...audienceInput(form),
    ...(form.isScheduled && { activates_at: new Date(momentOfLocalInput(form.startsAt)).toISOString() }),
  }
}

/** A group chat is offered if there is more than one recipient. */
export function offersGroupChat(form: PingForm, context: PingFormContext): boolean {
  return (recipientsCount(form, context) ?? 0) > 1
}

/** Describes who will see the ping and until when: "12 friends, until 9:40 PM". `null` while that is unknown. */
export function audienceSentence(form: PingForm, context: PingFormContext): string | null {
  const count = recipientsCount(form, context)
  const startMs = form.isScheduled ? momentOfLocalInput(form.startsAt) : context.nowMs
  if (count === null || count + Number(form.isPublic) === 0 || Number.isNaN(startMs)) return null
  const endMs = startMs + form.duration * 60_000
  return audienceText({ count, isPublic: form.isPublic, startMs, endMs }, context.nowMs)
}

const formFieldByBodyField: Record<string, keyof PingFormErrors> = {
  name: 'name',
  message: 'message',
  duration_minutes: 'duration',
  recipient_ids: 'recipientIds',
  circle_ids: 'circleIds',
  activates_at: 'startsAt',
  latitude: 'place',
  longitude: 'place',
}

/** Maps the server's field errors to the fields of the form. */
export function serverFieldErrors(fieldErrors: readonly FieldError[]): PingFormErrors {
  return Object.fromEntries(
    fieldErrors.flatMap(({ loc, msg }) => {
      const field = formFieldByBodyField[String(loc[1])]
      return field === undefined ? [] : [[field, msg]]
    }),
  )
}
