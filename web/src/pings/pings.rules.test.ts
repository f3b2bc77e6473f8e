import { type PingId, type RecipientId, type UserId } from '@hither/contract/ids.ts'
import { type Ping } from '@hither/contract/pings.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { audienceOf } from './audience.ts'
import { directionsAddress } from './directions.ts'
import { withChange } from './ping-changes.ts'
import { pinsOf } from './ping-pins.ts'
import {
  canExtendBy,
  canRespond,
  canSeeResponses,
  captionText,
  countByStatus,
  fractionLeft,
  leftText,
  minutesLeft,
  orderMine,
  orderNearby,
  remainingText,
  spokenMinutes,
  statusAt,
} from './pings.rules.ts'

const ann = 'ann' as UserId
const bob = 'bob' as UserId
const eve = 'eve' as UserId
const noonMs = Date.parse('2026-11-21T12:00:00.000Z')
const minuteMs = 60_000

/** Minutes before or after noon. */
function pingOf({ id = 'p', made = 0, starts, ends = 30, owner = bob }: Partial<Shape> = {}): Ping {
  return {
    id: id as PingId,
    user_id: owner,
    username: owner,
    user_has_image: false,
    name: 'Coffee at Nero',
    latitude: 40.7589,
    longitude: -73.9851,
    created_at: isoOf(made),
    activates_at: starts === undefined ? null : isoOf(starts),
    expires_at: isoOf(ends),
    message: null,
    has_image: false,
    status: 'active',
    address: null,
    is_public: false,
    responses_visible: true,
    conversation_id: null,
    recipients: [{ id: 'r1' as RecipientId, recipient_id: ann, recipient_username: 'ann' }],
    responses: [],
  }
}

interface Shape {
  id: string
  made: number
  starts: number
  ends: number
  owner: UserId
}

function isoOf(minutes: number): string {
  return new Date(noonMs + minutes * minuteMs).toISOString()
}

const idsOf = (pings: readonly { id: string }[]) => pings.map(({ id }) => id)

/** Each with each that comes after it. */
function pairsOf<T>(items: readonly T[]): [first: T, second: T][] {
  return items.flatMap((first, index) => items.slice(index + 1).map((second): [T, T] => [first, second]))
}

describe('status', () => {
  test('changes at the very millisecond, whatever the server last said', () => {
    const ping = pingOf({ starts: 10, ends: 40 })
    expect(statusAt(ping, noonMs + 10 * minuteMs - 1)).toBe('pending')
    expect(statusAt(ping, noonMs + 10 * minuteMs)).toBe('active')
    expect(statusAt(ping, noonMs + 40 * minuteMs - 1)).toBe('active')
    expect(statusAt(ping, noonMs + 40 * minuteMs)).toBe('expired')
  })
})

describe('the time that is left', () => {
  test('counts a started minute as one, and never goes below nothing', () => {
    const ping = pingOf()
    expect(minutesLeft(ping, noonMs)).toBe(30)
    expect(minutesLeft(ping, noonMs + 1)).toBe(30)
    expect(minutesLeft(ping, noonMs + 29 * minuteMs + 1)).toBe(1)
    expect(minutesLeft(ping, noonMs + 31 * minuteMs)).toBe(0)
  })

  test('runs from one to nothing, from the activation where there is one', () => {
    expect(fractionLeft(pingOf(), noonMs + 15 * minuteMs)).toBe(0.5)
    expect(fractionLeft(pingOf({ starts: 10, ends: 40 }), noonMs)).toBe(1)
    fc.assert(
      fc.property(fc.integer({ min: -500, max: 500 }), fc.integer({ min: -500, max: 500 }), (nowMinutes, ends) => {
        const fraction = fractionLeft(pingOf({ ends }), noonMs + nowMinutes * minuteMs)
        expect(fraction >= 0 && fraction <= 1).toBe(true)
      }),
    )
  })

  test.each([
    [0, '0m remaining', '0 min left', '0 m', '0 minutes'],
    [1, '1m remaining', '1 min left', '1 m', '1 minute'],
    [24, '24m remaining', '24 min left', '24 m', '24 minutes'],
    [60, '1h 0m remaining', '1 h left', '1 h', '1 hour'],
    [65, '1h 5m remaining', '1 h 5 min left', '1 h', '1 hour 5 minutes'],
    [125, '2h 5m remaining', '2 h 5 min left', '2 h', '2 hours 5 minutes'],
  ])('%i minutes are said as people say them', (minutes, remaining, left, caption, spoken) => {
    expect(remainingText(minutes)).toBe(remaining)
    expect(leftText(minutes)).toBe(left)
    expect(captionText(minutes)).toBe(caption)
    expect(spokenMinutes(minutes)).toBe(spoken)
  })
})

describe('order', () => {
  const older = pingOf({ id: 'older', made: -20, ends: 10 })
  const newer = pingOf({ id: 'newer', made: -5, ends: 25 })
  const soon = pingOf({ id: 'soon', made: -50, starts: 10, ends: 40 })
  const later = pingOf({ id: 'later', made: -1, starts: 60, ends: 90 })
  const over = pingOf({ id: 'over', made: -40, ends: -10 })
  const longOver = pingOf({ id: 'longOver', made: -400, ends: -370 })
  const all = [longOver, later, over, older, soon, newer]

  test('of My Pins: active, then pending by activation, then the rest, newest first', () => {
    expect(idsOf(orderMine(all, noonMs))).toEqual(['newer', 'older', 'soon', 'later', 'over', 'longOver'])
  })

  test('of Friends Nearby: what others share and is not over, active first', () => {
    const own = pingOf({ id: 'own', owner: ann })
    expect(idsOf(orderNearby([own, ...all], noonMs, ann))).toEqual(['newer', 'older', 'later', 'soon'])
  })

  test('does not depend on the order in which pings came', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (shuffled) => {
        expect(idsOf(orderMine(shuffled, noonMs))).toEqual(idsOf(orderMine(all, noonMs)))
        expect(idsOf(orderNearby(shuffled, noonMs, ann))).toEqual(idsOf(orderNearby(all, noonMs, ann)))
      }),
    )
  })

  test('keeps every ping, and ranks any two the same way whatever is beside them', () => {
    const minutes = fc.integer({ min: -500, max: 500 })
    const shapes = fc.record({ made: minutes, starts: fc.option(minutes, { nil: undefined }), ends: minutes })
    fc.assert(
      fc.property(fc.array(shapes, { maxLength: 12 }), (drawn) => {
        const pings = drawn.map(({ made, starts, ends }, index) =>
          pingOf({ id: `p${index}`, made, ends, ...(starts !== undefined && { starts }) }),
        )
        const mine = orderMine(pings, noonMs)
        const nearby = orderNearby(pings, noonMs, ann)
        const current = pings.filter((ping) => statusAt(ping, noonMs) !== 'expired')
        expect(idsOf(mine).sort()).toEqual(idsOf(pings).sort())
        expect(idsOf(nearby).sort()).toEqual(idsOf(current).sort())
        for (const [first, second] of pairsOf(mine)) expect(orderMine([first, second], noonMs)).toEqual([first, second])
        for (const [first, second] of pairsOf(nearby))
          expect(orderNearby([first, second], noonMs, ann)).toEqual([first, second])
      }),
    )
  })

  test('leaves the list it was given as it is', () => {
    const before = idsOf(all)
    orderMine(all, noonMs)
    orderNearby(all, noonMs, ann)
    expect(idsOf(all)).toEqual(before)
  })

  test('counts each status by the clock', () => {
    expect(countByStatus(all, noonMs)).toEqual({ active: 2, pending: 2, expired: 2 })
  })
})

describe('answering', () => {
  test('is for listed guests of a ping that is not over', () => {
    const ping = pingOf()
    expect(canRespond(ping, ann, noonMs)).toBe(true)
    expect(canRespond(ping, eve, noonMs)).toBe(false)
    expect(canRespond(ping, bob, noonMs)).toBe(false)
    expect(canRespond(ping, undefined, noonMs)).toBe(false)
    expect(canRespond(ping, ann, noonMs + 30 * minuteMs)).toBe(false)
  })

  test('is seen by the owner always, by guests where the owner says so', () => {
    const hidden = { ...pingOf(), responses_visible: false }
    expect(canSeeResponses(hidden, bob)).toBe(true)
    expect(canSeeResponses(hidden, ann)).toBe(false)
    expect(canSeeResponses(pingOf(), ann)).toBe(true)
    expect(canSeeResponses(pingOf(), undefined)).toBe(false)
  })
})

describe('pins on the map', () => {
  test('are blue for me, coral for friends, grey while scheduled, and gone when over', () => {
    const pings = [
      pingOf({ id: 'own', owner: ann }),
      pingOf({ id: 'friend' }),
      pingOf({ id: 'pending', starts: 10, ends: 40 }),
      pingOf({ id: 'over', made: -40, ends: 0 }),
    ]
    const looks = Object.fromEntries(pinsOf(pings, noonMs, ann).map(({ id, look }) => [id, look]))
    expect(looks).toEqual({ own: 'own', friend: 'friend', pending: 'pending' })
  })

  test('are named for those who hear them', () => {
    const [pin] = pinsOf([pingOf({ ends: 24 })], noonMs, ann)
    expect(pin?.label).toBe('bob, Coffee at Nero, 24 minutes left')
    expect(pin?.caption).toBe('24 m')
  })

  test('are not drawn anew every second', () => {
    const ping = pingOf({ ends: 240 })
    expect(pinsOf([ping], noonMs + 1000, ann)).toEqual(pinsOf([ping], noonMs + 2000, ann))
  })
})

describe('an owner', () => {
  test('adds no more time than makes four hours from the activation', () => {
    expect(canExtendBy(60, pingOf({ ends: 180 }))).toBe(true)
    expect(canExtendBy(60, pingOf({ ends: 181 }))).toBe(false)
    expect(canExtendBy(15, pingOf({ ends: 181 }))).toBe(true)
    expect(canExtendBy(15, pingOf({ made: -500, starts: 0, ends: 225 }))).toBe(true)
    expect(canExtendBy(15, pingOf({ ends: 240 }))).toBe(false)
  })

  test('sees the change before the server answers', () => {
    expect(withChange(pingOf(), { extend_minutes: 60 }, noonMs).expires_at).toBe(isoOf(90))
    const ended = withChange(pingOf(), { end: true }, noonMs)
    expect(statusAt(ended, noonMs)).toBe('expired')
    expect(ended.status).toBe('expired')
  })

  test('reads who sees it and for how long', () => {
    expect(audienceOf(pingOf(), noonMs)).toMatch(/^1 friend, until \d/)
    expect(audienceOf({ ...pingOf(), is_public: true }, noonMs)).toMatch(/^1 friend and anyone with the link, until /)
    expect(audienceOf({ ...pingOf(), is_public: true, recipients: [] }, noonMs)).toMatch(/^anyone with the link, /)
    expect(audienceOf({ ...pingOf(), recipients: [] }, noonMs)).toMatch(/^only you, /)
    expect(audienceOf(pingOf({ starts: 10, ends: 40 }), noonMs)).toMatch(/^1 friend, .+ to /)
    const justMade = { ...pingOf(), created_at: new Date(noonMs + 500).toISOString() }
    expect(audienceOf(justMade, noonMs)).toMatch(/^1 friend, until \d/)
  })
})

test('the way leads to the place, by the page that is named or by the apps of the phone', () => {
  const target = { name: 'Café (back) & bar', latitude: 40.5, longitude: -73.25 }
  const template = 'https://maps.example.org/?to={latitude},{longitude}#{latitude}'
  expect(directionsAddress(target, template, 'browser')).toBe('https://maps.example.org/?to=40.5,-73.25#40.5')
  expect(directionsAddress(target, template, 'android')).toBe(
    'geo:40.5,-73.25?q=40.5,-73.25(Caf%C3%A9%20%28back%29%20%26%20bar)',
  )
  expect(directionsAddress(target, template, 'ios')).toMatch(/^https:\/\/maps\.apple\.com\/\?daddr=40\.5,-73\.25&q=/)
})
