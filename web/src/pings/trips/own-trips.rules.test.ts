import type { UserId } from '@hither/contract/ids.ts'
import type { Ping } from '@hither/contract/pings.ts'
import type { Trip } from '@hither/contract/trips.ts'
import { expect, test } from 'vitest'
import { ownTripsOf } from './own-trips.rules.ts'

const startMs = Date.parse('2026-11-21T19:00:00.000Z')
const minuteMs = 60_000
const [bob, mia] = ['bob' as UserId, 'mia' as UserId]
const instant = (minutes: number) => new Date(startMs + minutes * minuteMs).toISOString()

function pingOf(name: string, endMinutes: number, arrivals: Readonly<Record<UserId, number>>): Ping {
  const trips = Object.entries(arrivals).map(
    ([user_id, minutes]) => ({ user_id, state: 'en_route', arrives_at: instant(minutes) }) as Trip,
  )
  return { name, status: 'active', expires_at: instant(endMinutes), trips } as Ping
}

test("the viewer's trips are listed by arrival until they end by the time of the server", () => {
  const pings = [
    pingOf('Late', 240, { [bob]: 20, [mia]: 5 }),
    pingOf('Early', 60, { [bob]: 10 }),
    pingOf('Short', 15, { [bob]: 12 }),
  ]
  const namesAt = (minutes: number) => ownTripsOf(pings, bob, startMs + minutes * minuteMs).map(({ name }) => name)
  expect(namesAt(14)).toEqual(['Early', 'Short', 'Late'])
  expect(namesAt(15)).toEqual(['Early', 'Late'])
  expect(namesAt(40)).toEqual(['Late'])
  expect(namesAt(50)).toEqual([])
})
