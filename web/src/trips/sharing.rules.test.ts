import type { UserId } from '@hither/contract/ids.ts'
import type { Ping, PingResponse, ResponseType } from '@hither/contract/pings.ts'
import type { Trip } from '@hither/contract/trips.ts'
import { describe, expect, test } from 'vitest'
import { canShareTrip, currentTrips, tripViewerNames } from './sharing.rules.ts'

const hourMs = 3_600_000
const startMs = Date.parse('2026-11-21T19:00:00.000Z')
const [sam, bob] = ['sam', 'bob'] as UserId[] as [UserId, UserId]

const answerOf = (username: string, response_type: ResponseType) =>
  ({ user_id: username, username, display_name: null, response_type }) as PingResponse

/** A ping of sam that starts at `startMs` and lasts for an hour. */
const pingOf = (fields: Partial<Ping> = {}) =>
  ({
    ...{ access: 'invitee', user_id: sam, username: 'sam', display_name: 'Sam', status: 'pending' },
    ...{ created_at: '2026-11-20T19:00:00.000Z', activates_at: new Date(startMs).toISOString() },
    ...{ expires_at: new Date(startMs + hourMs).toISOString(), responses_visible: true },
    responses: [answerOf('bob', 'accepted'), answerOf('mia', 'accepted'), answerOf('tom', 'tentative')],
    ...fields,
  }) as Ping

describe('sharing an arrival time is offered', () => {
  test('to people who are going', () => {
    expect(canShareTrip(pingOf(), bob, startMs)).toBe(true)
    for (const name of ['tom', 'ida']) expect(canShareTrip(pingOf(), name as UserId, startMs)).toBe(false)
  })

  test('to the owner, unless the pin hides the answers', () => {
    expect(canShareTrip(pingOf({ access: 'owner' }), sam, startMs)).toBe(true)
    expect(canShareTrip(pingOf({ access: 'owner', responses_visible: false }), sam, startMs)).toBe(false)
    expect(canShareTrip(pingOf({ responses_visible: false }), bob, startMs)).toBe(true)
  })

  test('from three hours before the start to the end', () => {
    expect(canShareTrip(pingOf(), bob, startMs - 3 * hourMs - 1)).toBe(false)
    expect(canShareTrip(pingOf(), bob, startMs - 3 * hourMs)).toBe(true)
    expect(canShareTrip(pingOf(), bob, startMs + hourMs - 1)).toBe(true)
    expect(canShareTrip(pingOf(), bob, startMs + hourMs)).toBe(false)
    expect(canShareTrip(pingOf({ status: 'expired' }), bob, startMs)).toBe(false)
  })
})

test('the other viewers of a trip are the owner and the others who are going, if they see the answers', () => {
  expect(tripViewerNames(pingOf(), bob)).toEqual(['Sam', 'mia'])
  expect(tripViewerNames(pingOf({ responses_visible: false }), bob)).toEqual(['Sam'])
  expect(tripViewerNames(pingOf({ access: 'owner' }), sam)).toEqual(['bob', 'mia'])
  expect(tripViewerNames(pingOf({ access: 'owner', responses: [] }), sam)).toEqual([])
})

test('trips end 30 minutes after an arrival time that has passed, and with the pin', () => {
  const tripOf = (state: Trip['state']) => ({ state, arrives_at: new Date(startMs).toISOString() }) as Trip
  const [enRoute, arrived] = [tripOf('en_route'), tripOf('arrived')]
  const ping = pingOf({ trips: [enRoute, arrived] })
  expect(currentTrips(ping, startMs + hourMs / 2 - 1)).toEqual([enRoute, arrived])
  expect(currentTrips(ping, startMs + hourMs / 2)).toEqual([arrived])
  expect(currentTrips(ping, startMs + hourMs)).toEqual([])
  expect(currentTrips({ ...ping, status: 'expired' }, startMs)).toEqual([])
})
