import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { Trip } from '@hither/contract/trips.ts'
import { describe, expect, it } from 'vitest'
import { arrivalTime, assertCanShare, isNotified, isOverdue, tripAfter } from './trips.rules.ts'

const at = (time: string) => new Date(`2026-11-21T${time}Z`)
const traveler = { ping_id: 'ping' as PingId, user_id: 'bob' as UserId, username: 'bob' }
const trip: Trip = {
  ...traveler,
  state: 'en_route',
  arrives_at: '2026-11-21T18:10:00.000Z',
  started_at: '2026-11-21T18:00:00.000Z',
  updated_at: '2026-11-21T18:00:00.000Z',
}

it.each([
  ['18:00:00.000', 10, '18:10:00.000'],
  ['18:00:29.999', 10, '18:10:00.000'],
  ['18:00:30.000', 10, '18:11:00.000'],
  ['23:59:59.999', 0, '24:00:00.000'],
])('the arrival at %s in %i minutes is at %s', (now, minutes, expected) => {
  const day = expected.startsWith('24') ? new Date('2026-11-22T00:00:00.000Z') : at(expected)
  expect(arrivalTime(at(now), minutes)).toEqual(day)
})

describe('a trip', () => {
  it('is overdue 30 minutes after its arrival time, unless the person has arrived', () => {
    expect(isOverdue(trip, at('18:39:59.999'))).toBe(false)
    expect(isOverdue(trip, at('18:40:00.000'))).toBe(true)
    expect(isOverdue({ ...trip, state: 'arrived' }, at('20:00:00.000'))).toBe(false)
  })

  it('keeps its start while it is on the way and when it arrives', () => {
    const change = { state: 'en_route', arrivesAt: at('18:20:00.000') } as const
    expect(tripAfter(trip, traveler, change, at('18:05:00.000'))).toEqual({
      ...trip,
      arrives_at: '2026-11-21T18:20:00.000Z',
      updated_at: '2026-11-21T18:05:00.000Z',
    })
    const arrival = { state: 'arrived', arrivesAt: at('18:05:00.000') } as const
    expect(tripAfter(trip, traveler, arrival, at('18:05:00.000')).started_at).toBe(trip.started_at)
  })

  it('after an arrival has another start, even in the same millisecond', () => {
    const arrived = { ...trip, state: 'arrived' } as const
    const change = { state: 'en_route', arrivesAt: at('18:20:00.000') } as const
    expect(tripAfter(arrived, traveler, change, at('18:00:00.000')).started_at).toBe('2026-11-21T18:00:00.001Z')
  })
})

describe('the owner', () => {
  const ping = { user_id: 'ann' as UserId, is_trip_notified: false, is_arrival_notified: false }
  const arrived: Trip = { ...trip, state: 'arrived' }

  it('is notified of the first trip and the first arrival, and not of new minutes', () => {
    expect(isNotified(ping, null, trip)).toBe(true)
    expect(isNotified(ping, null, arrived)).toBe(true)
    expect(isNotified(ping, trip, arrived)).toBe(true)
    expect(isNotified(ping, trip, trip)).toBe(false)
    expect(isNotified({ ...ping, is_trip_notified: true }, null, trip)).toBe(false)
    expect(isNotified({ ...ping, is_arrival_notified: true }, trip, arrived)).toBe(false)
  })

  it('is not notified of their own trip', () => {
    expect(isNotified({ ...ping, user_id: trip.user_id }, null, trip)).toBe(false)
  })
})

describe('sharing', () => {
  const ping = {
    ...({ access: 'invitee', response_type: 'accepted', is_end_announced: false } as const),
    ...{ created_at: '2026-11-21T10:00:00.000Z', activates_at: '2026-11-21T20:00:00.000Z' },
    expires_at: '2026-11-21T21:00:00.000Z',
  }

  it('is possible from three hours before the start to the end', () => {
    expect(() => assertCanShare(ping, at('16:59:59.999'))).toThrow(/from 3 hours before/)
    expect(() => assertCanShare(ping, at('17:00:00.000'))).not.toThrow()
    expect(() => assertCanShare(ping, at('20:59:59.999'))).not.toThrow()
    expect(() => assertCanShare(ping, at('21:00:00.000'))).toThrow('This pin has ended.')
  })

  it('is refused after the end was announced, also by a slow clock', () => {
    expect(() => assertCanShare({ ...ping, is_end_announced: true }, at('20:00:00.000'))).toThrow('This pin has ended.')
  })
})
