import type { GuestId, RecipientId, UserId } from '@hither/contract/ids.ts'
import type { Guest, OwnPing, PingResponse, ResponseType } from '@hither/contract/pings.ts'
import { pingTexts } from '@hither/contract/runtime/pings.ts'
import { describe, expect, test } from 'vitest'
import { dayAndTime } from '../../ui/format-time.ts'
import { localInputOf } from '../../ui/local-input.ts'
import { withPublicLink } from '../create/place-privacy.rules.ts'
import { pingRow } from '../harness.ts'
import { countNotified } from './count-notified.ts'
import { changesOf, conflictErrors, editAfterConflict, editErrors, editOf, editSentence } from './edit-ping.rules.ts'

const ann = 'ann' as UserId
const nowMs = Date.parse('2026-11-21T12:00:00.000Z')
const minuteMs = 60_000
const isoIn = (minutes: number) => new Date(nowMs + minutes * minuteMs).toISOString()

const active: OwnPing = {
  ...pingRow,
  access: 'owner',
  can_respond: false,
  user_id: ann,
  username: 'ann',
  address: '1 Times Square',
  created_at: isoIn(0),
  expires_at: isoIn(30),
  updated_at: isoIn(0),
  message: 'Bring a book',
  recipients: [{ id: 'r1' as RecipientId, recipient_id: ann, recipient_username: 'bob', recipient_display_name: null }],
  responses: [],
  guests: [],
  trips: [],
  invited_all: true,
  audience: { circle_ids: [], recipient_ids: [], former_friend_count: 0 },
  place_known_by: [],
}
const scheduled: OwnPing = { ...active, activates_at: isoIn(60), expires_at: isoIn(120), status: 'pending' }
const place = { latitude: 52.52, longitude: 13.405 }

describe('the request of an edited ping', () => {
  test('is empty if nothing differs, also if only spaces around a text do', () => {
    expect(changesOf(editOf(active), active, 'edit-active')).toEqual({})
    const edit = editOf(scheduled)
    const form = { ...edit.form, name: ' Coffee at Nero ', message: 'Bring a book\n' }
    expect(changesOf({ ...edit, form, address: ' 1 Times Square' }, scheduled, 'edit-scheduled')).toEqual({})
  })

  test('has each field that differs', () => {
    const edit = editOf(scheduled)
    const startsAt = localInputOf(nowMs + 90 * minuteMs)
    const form = { ...edit.form, name: 'Tea', message: ' ', duration: 120 as const, startsAt, responsesVisible: false }
    expect(changesOf({ ...edit, form }, scheduled, 'edit-scheduled')).toEqual({
      name: 'Tea',
      message: null,
      duration_minutes: 120,
      activates_at: isoIn(90),
      responses_visible: false,
    })
  })

  test('has who sees the exact place and the size of the area, and what goes with a public link', () => {
    const edit = editOf(active)
    const form = { ...edit.form, exactPlaceFor: 'going' as const, areaKm: 5 as const }
    expect(changesOf({ ...edit, form }, active, 'edit-active')).toEqual({ exact_place_for: 'going', area_km: 5 })
    const shared = { ...edit.form, ...withPublicLink(edit.form, true) }
    expect(changesOf({ ...edit, form: shared }, active, 'edit-active')).toEqual({
      is_public: true,
      exact_place_for: 'invited',
      guest_policy: 'open',
    })
  })

  test('has no start while its field is empty', () => {
    const edit = editOf(scheduled)
    const empty = { ...edit, form: { ...edit.form, startsAt: '' } }
    expect(changesOf(empty, scheduled, 'edit-scheduled')).toEqual({})
    expect(editErrors(empty, scheduled, 'edit-scheduled', nowMs)).toEqual({ startsAt: pingTexts.scheduleInvalid })
  })

  test('of an active ping has no start and no duration', () => {
    const edit = editOf(active)
    const form = { ...edit.form, duration: 120 as const, startsAt: localInputOf(nowMs + 90 * minuteMs) }
    expect(changesOf({ ...edit, form }, active, 'edit-active')).toEqual({})
  })

  test('has both coordinates of a new place, and an address only if there is one', () => {
    const moved = { ...editOf(active), place, address: '' }
    expect(changesOf(moved, active, 'edit-active')).toEqual(place)
    expect(changesOf({ ...moved, address: 'Mitte' }, active, 'edit-active')).toEqual({ ...place, address: 'Mitte' })
  })

  test('of the same place has the changed or removed address alone', () => {
    expect(changesOf({ ...editOf(active), address: 'At the corner' }, active, 'edit-active')).toEqual({
      address: 'At the corner',
    })
    expect(changesOf({ ...editOf(active), address: ' ' }, active, 'edit-active')).toEqual({ address: null })
  })

  test('of a link that is switched on has who may respond, by default anyone; switching it off has nothing else', () => {
    const edit = editOf(active)
    const publicForm = { ...edit.form, isPublic: true }
    expect(changesOf({ ...edit, form: publicForm }, active, 'edit-active')).toEqual({
      is_public: true,
      guest_policy: 'open',
    })
    const forGoing: OwnPing = { ...active, exact_place_for: 'going' }
    const { form } = editOf(forGoing)
    expect(changesOf({ ...edit, form: { ...form, isPublic: true } }, forGoing, 'edit-active')).toEqual({
      is_public: true,
      guest_policy: 'approval',
    })
    const linked: OwnPing = { ...active, is_public: true, guest_policy: 'approval' }
    const closed = { ...editOf(linked), form: { ...editOf(linked).form, isPublic: false } }
    expect(changesOf(closed, linked, 'edit-active')).toEqual({ is_public: false })
    const opened = { ...editOf(linked), form: { ...editOf(linked).form, guestPolicy: 'open' as const } }
    expect(changesOf(opened, linked, 'edit-active')).toEqual({ guest_policy: 'open' })
  })
})

describe('the form of an edited ping', () => {
  test('has the texts of a new ping for invalid fields, and needs no friends', () => {
    const edit = editOf(active)
    expect(editErrors(edit, active, 'edit-active', nowMs)).toEqual({})
    expect(editErrors({ ...edit, form: { ...edit.form, name: '' } }, active, 'edit-active', nowMs)).toEqual({
      name: pingTexts.nameMissing,
    })
  })

  test('accepts the start that is saved until the ping begins, and no other start in the past', () => {
    const edit = editOf(scheduled)
    const lateMs = nowMs + 60 * minuteMs + 10_000
    expect(editErrors(edit, scheduled, 'edit-scheduled', lateMs)).toEqual({})
    const form = { ...edit.form, startsAt: localInputOf(nowMs) }
    expect(editErrors({ ...edit, form }, scheduled, 'edit-scheduled', lateMs)).toEqual({
      startsAt: pingTexts.scheduleInvalid,
    })
  })
})

describe('what is said above the button', () => {
  const response = (name: string, response_type: ResponseType) => ({ user_id: name, response_type }) as PingResponse
  const guest = (user_id: string | null, state: Guest['state'], response_type: ResponseType = 'accepted') =>
    ({ id: `g-${user_id}` as GuestId, user_id, state, response_type }) as Guest
  const ping: OwnPing = {
    ...active,
    is_public: true,
    responses: [response('bob', 'accepted'), response('cat', 'tentative'), response('dan', 'declined')],
    guests: [
      guest('eve', 'approved'),
      guest('fay', 'approved', 'tentative'),
      guest('gus', 'waiting'),
      guest(null, 'approved'),
      guest('hal', 'approved', 'declined'),
    ],
  }

  test('counts invitees and approved guests with an account who are going or maybe', () => {
    expect(countNotified(ping)).toBe(4)
    expect(countNotified(active)).toBe(0)
  })

  test('counts guests only while the ping is public, which the change decides', () => {
    const hidden = { ...ping, is_public: false }
    expect(countNotified(hidden)).toBe(2)
    expect(editSentence(place, hidden)).toBe('2 people who are going or maybe will be notified.')
    expect(editSentence({ ...place, is_public: true }, hidden)).toBe(
      '4 people who are going or maybe will be notified.',
    )
    expect(editSentence({ ...place, is_public: false }, ping)).toBe(
      '2 people who are going or maybe will be notified. The link stops working for everyone.',
    )
  })

  test('names them only if the coordinates or the start differ', () => {
    expect(editSentence(place, ping)).toBe('4 people who are going or maybe will be notified.')
    expect(editSentence({ activates_at: isoIn(90) }, ping)).toBe('4 people who are going or maybe will be notified.')
    const one = { ...ping, guests: [], responses: [response('bob', 'accepted')] }
    expect(editSentence(place, one)).toBe('1 person who is going or maybe will be notified.')
    for (const changes of [{}, { name: 'Tea' }, { address: 'At the corner' }, { duration_minutes: 60 } as const])
      expect(editSentence(changes, ping)).toBe('No one will be notified.')
    expect(editSentence(place, active)).toBe('No one will be notified.')
  })

  test('adds that the link stops working', () => {
    expect(editSentence({ is_public: false }, ping)).toBe(
      'No one will be notified. The link stops working for everyone.',
    )
  })
})

describe('after another device has saved', () => {
  const latest: OwnPing = {
    ...scheduled,
    name: 'Tea at Nero',
    message: null,
    activates_at: isoIn(75),
    is_public: true,
    guest_policy: 'approval',
  }

  test('what was typed stays, and everything else has its latest value', () => {
    const edit = editOf(scheduled)
    const typed = { ...edit, form: { ...edit.form, name: 'Lunch' }, place }
    const after = editAfterConflict(typed, scheduled, latest)
    expect(after.form).toEqual({ ...editOf(latest).form, name: 'Lunch' })
    expect(after.place).toEqual(place)
    expect(changesOf(after, latest, 'edit-scheduled')).toEqual({ name: 'Lunch', ...place, address: '1 Times Square' })
  })

  test('each field that it changed names its current value', () => {
    const edit = editOf(scheduled)
    const typed = { ...edit, form: { ...edit.form, name: 'Lunch' } }
    expect(conflictErrors(typed, scheduled, latest, nowMs)).toEqual({
      name: "Changed on another device. It's now: Tea at Nero",
      message: "Changed on another device. It's now: no message",
      startsAt: `Changed on another device. It's now: ${dayAndTime(isoIn(75), nowMs)}`,
      duration: "Changed on another device. It's now: 45 min",
      isPublic: "Changed on another device. It's now: on",
      guestPolicy: "Changed on another device. It's now: Anyone, after I approve",
    })
  })

  test('a field that was changed to the same value here is not marked', () => {
    const edit = editOf(scheduled)
    const typed = { ...edit, form: { ...edit.form, name: 'Tea at Nero' } }
    expect(conflictErrors(typed, scheduled, { ...scheduled, name: 'Tea at Nero' }, nowMs)).toEqual({})
  })

  test('a ping that has moved is named by its address, else by its coordinates', () => {
    const moved = { ...active, ...place, address: 'Mitte' }
    expect(conflictErrors(editOf(active), active, moved, nowMs)).toEqual({
      place: "Changed on another device. It's now: Mitte",
    })
    expect(conflictErrors(editOf(active), active, { ...moved, address: null }, nowMs).place).toContain('52.5200')
  })
})
