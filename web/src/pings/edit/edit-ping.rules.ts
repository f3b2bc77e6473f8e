import type { ChangePing, DurationMinutes, OwnPing } from '@hither/contract/pings.ts'
import { areaSizes } from '@hither/contract/runtime/areas.ts'
import { t } from '../../i18n/translate.ts'
import { addressOrCoordinates } from '../../map/location/address-text.ts'
import type { Place } from '../../map/map-defaults.ts'
import { dayAndTime, durationText } from '../../ui/format-time.ts'
import { localInputOf, momentOfLocalInput } from '../../ui/local-input.ts'
import type { FormPurpose } from '../create/CreatePingFields.tsx'
import { emptyPingForm, type PingForm, type PingFormErrors, pingFormErrors } from '../create/create-ping.rules.ts'
import { offeredPolicy } from '../create/place-privacy.rules.ts'
import { withinText } from '../place/area.rules.ts'
import { countNotified } from './count-notified.ts'

export type EditPurpose = Exclude<FormPurpose, 'create'>

/** The content of the dialog. The address is the text of its field. */
export interface PingEdit {
  form: PingForm
  place: Place
  address: string
}

/** Returns the dialog's content for the ping as it is saved. */
export function editOf(ping: OwnPing): PingEdit {
  const { latitude, longitude, guest_policy, is_public } = ping
  const form: PingForm = {
    ...emptyPingForm,
    name: ping.name,
    message: ping.message ?? '',
    duration: durationOf(ping),
    isScheduled: ping.activates_at !== null,
    startsAt: ping.activates_at === null ? '' : localInputOf(Date.parse(ping.activates_at)),
    responsesVisible: ping.responses_visible,
    isPublic: is_public,
    // A link that is switched on starts like that of a new ping.
    guestPolicy: is_public || guest_policy !== 'off' ? guest_policy : offeredPolicy(ping),
    exactPlaceFor: ping.exact_place_for,
    areaKm: ping.area_km,
  }
  return { form, place: { latitude, longitude }, address: ping.address ?? '' }
}

/** What the dialog edits. The form of a new ping has more fields. */
const fields = [
  'place',
  'name',
  'duration',
  'message',
  'startsAt',
  'responsesVisible',
  'isPublic',
  'guestPolicy',
  'exactPlaceFor',
  'areaKm',
] as const
type Field = (typeof fields)[number]

const fieldsOfActive: readonly Field[] = fields.filter((field) => field !== 'duration' && field !== 'startsAt')

function fieldsOf(purpose: EditPurpose): readonly Field[] {
  return purpose === 'edit-active' ? fieldsOfActive : fields
}

/** Returns the body of the request without `expected_updated_at`: what differs from the saved ping. */
export function changesOf(edit: PingEdit, ping: OwnPing, purpose: EditPurpose): ChangePing {
  const saved = editOf(ping)
  const changed = fieldsOf(purpose).filter((field) => !isSame(field, edit, saved))
  const { isPublic, guestPolicy } = edit.form
  // Compared with the ping, because a link that is switched on has a policy that is not saved yet.
  const hasNewPolicy = isPublic && guestPolicy !== ping.guest_policy
  return Object.assign(
    {},
    ...changed.map((field) => bodyOf(field, edit, saved)),
    hasNewPolicy && { guest_policy: guestPolicy },
  )
}

function bodyOf(field: Field, { form, place, address }: PingEdit, saved: PingEdit): ChangePing {
  const text = address.trim()
  switch (field) {
    case 'place':
      // The server clears the address of a place that was left.
      return isSamePlace(place, saved.place) ? { address: text || null } : { ...place, ...(text && { address: text }) }
    case 'name':
      return { name: form.name.trim() }
    case 'message':
      return { message: form.message.trim() || null }
    case 'duration':
      return { duration_minutes: form.duration }
    case 'startsAt': {
      const startMs = momentOfLocalInput(form.startsAt)
      // An empty field has an error of its own.
      return Number.isNaN(startMs) ? {} : { activates_at: new Date(startMs).toISOString() }
    }
    case 'responsesVisible':
      return { responses_visible: form.responsesVisible }
    case 'isPublic':
      return { is_public: form.isPublic }
    case 'guestPolicy':
      return {}
    case 'exactPlaceFor':
      return { exact_place_for: form.exactPlaceFor }
    case 'areaKm':
      return { area_km: form.areaKm }
  }
}

function isSame(field: Field, a: PingEdit, b: PingEdit): boolean {
  switch (field) {
    case 'place':
      return isSamePlace(a.place, b.place) && a.address.trim() === b.address.trim()
    case 'name':
    case 'message':
      return a.form[field].trim() === b.form[field].trim()
    default:
      return a.form[field] === b.form[field]
  }
}

/** Returns the errors of the dialog by field. A start that was not changed is valid, also shortly before it. */
export function editErrors(edit: PingEdit, ping: OwnPing, purpose: EditPurpose, nowMs: number): PingFormErrors {
  const { place, form } = edit
  // The audience is not edited.
  const found = pingFormErrors({ ...form, audience: 'all' }, { place, friendsCount: null, circles: [], nowMs })
  const hasNewStart = purpose === 'edit-scheduled' && !isSame('startsAt', edit, editOf(ping))
  if (!hasNewStart) delete found.startsAt
  return found
}

/** Returns the content after another device has saved: what was not changed here has its latest value. */
export function editAfterConflict(edit: PingEdit, opened: OwnPing, latest: OwnPing): PingEdit {
  const [before, now] = [editOf(opened), editOf(latest)]
  const keeps = (field: Field) => !isSame(field, edit, before)
  const untouched = fields.filter((field) => field !== 'place' && !keeps(field)) as Exclude<Field, 'place'>[]
  const form = { ...edit.form, ...Object.fromEntries(untouched.map((field) => [field, now.form[field]])) }
  return keeps('place') ? { ...edit, form } : { ...now, form }
}

/** Returns an error text for each field that another device has changed to a value that is not that of this dialog's user. */
export function conflictErrors(edit: PingEdit, opened: OwnPing, latest: OwnPing, nowMs: number): PingFormErrors {
  const [before, now] = [editOf(opened), editOf(latest)]
  const changed = fieldsOf(latest.status === 'pending' ? 'edit-scheduled' : 'edit-active').filter(
    (field) => !isSame(field, before, now) && !isSame(field, edit, now),
  )
  return Object.fromEntries(
    changed.map((field) => [field, t('pings.edit.changedTo', { value: valueText(field, latest, nowMs) })]),
  )
}

function valueText(field: Field, ping: OwnPing, nowMs: number): string {
  switch (field) {
    case 'place':
      return addressOrCoordinates(ping)
    case 'name':
      return ping.name
    case 'message':
      return ping.message ?? t('pings.edit.noMessage')
    case 'duration':
      return durationText(durationOf(ping))
    case 'startsAt':
      return dayAndTime(ping.activates_at ?? ping.created_at, nowMs)
    case 'responsesVisible':
      return ping.responses_visible ? t('pings.edit.on') : t('pings.edit.off')
    case 'isPublic':
      return ping.is_public ? t('pings.edit.on') : t('pings.edit.off')
    case 'guestPolicy':
      return t(`pings.guestPolicy.policies.${ping.guest_policy}`)
    case 'exactPlaceFor':
      return t(`pings.placePrivacy.choices.${ping.exact_place_for}`)
    case 'areaKm':
      return withinText(areaSizes[ping.area_km].radiusM)
  }
}

/** What the owner reads above the button: how many people get a notification, and whether the link stops working. */
export function editSentence(changes: ChangePing, ping: OwnPing): string {
  const isAnnounced = changes.latitude !== undefined || changes.activates_at !== undefined
  const after = { ...ping, is_public: changes.is_public ?? ping.is_public }
  const notified = notifiedText(isAnnounced ? countNotified(after) : 0)
  return changes.is_public === false ? `${notified} ${t('pings.edit.linkStops')}` : notified
}

function durationOf({ created_at, activates_at, expires_at }: OwnPing): DurationMinutes {
  const ms = Date.parse(expires_at) - Date.parse(activates_at ?? created_at)
  return Math.round(ms / 60_000) as DurationMinutes
}

function isSamePlace(a: Place, b: Place): boolean {
  return a.latitude === b.latitude && a.longitude === b.longitude
}

/** How many people will be notified of a change. */
export function notifiedText(count: number): string {
  return count === 0 ? t('pings.edit.nobodyNotified') : t('pings.edit.willBeNotified', { count })
}
