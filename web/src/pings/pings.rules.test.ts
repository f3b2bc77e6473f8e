import type { GuestId, PingId, RecipientId, UserId } from '@hither/contract/ids.ts'
import type { Ping, PingResponse } from '@hither/contract/pings.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { audienceOf } from './audience.ts'
import { pingRow } from './harness.ts'
import { withChange } from './ping-changes.ts'
import { pinsOf } from './ping-pins.ts'
import {
  canExtendBy,
  canSeeResponses,
  countByStatus,
  countGoing,
  fractionLeft,
  isElsewhere,
  isOutdated,
  minutesLeft,
  orderMine,
  orderNearby,
  outdatedOf,
  statusAt,
  titleOf,
} from './pings.rules.ts'
import { directionsAddress } from './place/directions.ts'

const ann = 'ann' as UserId
const bob = 'bob' as UserId
const noonMs = Date.parse('2026-11-21T12:00:00.000Z')
const minuteMs = 60_000

/** A ping as ann sees it. `starts`, `ends` and `made` are minutes before or after noon. */
function pingOf({ id = 'p', made = 0, starts, ends = 30, owner = bob }: Partial<Shape> = {}): Ping {
  return {
    ...pingRow,
    id: id as PingId,
    access: owner === ann ? 'owner' : 'invitee',
    user_id: owner,
    username: owner,
    created_at: isoOf(made),
    activates_at: starts === undefined ? null : isoOf(starts),
    expires_at: isoOf(ends),
    recipients: [
      { id: 'r1' as RecipientId, recipient_id: ann, recipient_username: 'ann', recipient_display_name: null },
    ],
    responses: [],
    can_respond: true,
    guests: [],
    trips: [],
    updated_at: isoOf(made),
    invited_all: true,
    audience: { circle_ids: [], recipient_ids: [], former_friend_count: 0 },
    place_known_by: [],
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

/** Returns each item with each later item. */
function pairsOf<T>(items: readonly T[]): [first: T, second: T][] {
  return items.flatMap((first, index) => items.slice(index + 1).map((second): [T, T] => [first, second]))
}

describe('status', () => {
  test('changes at the exact millisecond, whatever status the server returned', () => {
    const ping = pingOf({ starts: 10, ends: 40 })
    expect(statusAt(ping, noonMs + 10 * minuteMs - 1)).toBe('pending')
    expect(statusAt(ping, noonMs + 10 * minuteMs)).toBe('active')
    expect(statusAt(ping, noonMs + 40 * minuteMs - 1)).toBe('active')
    expect(statusAt(ping, noonMs + 40 * minuteMs)).toBe('expired')
    // Canceled by a server whose clock is ahead of this device's.
    const canceled_at = isoOf(1)
    expect(statusAt({ ...ping, canceled_at, expires_at: canceled_at }, noonMs)).toBe('expired')
  })
})

describe('the remaining time', () => {
  test('rounds up to minutes, and is never negative or longer than the ping', () => {
    const ping = pingOf()
    expect(minutesLeft(ping, noonMs)).toBe(30)
    expect(minutesLeft(ping, noonMs - 1500)).toBe(30)
    expect(minutesLeft(ping, noonMs + 1)).toBe(30)
    expect(minutesLeft(ping, noonMs + 29 * minuteMs + 1)).toBe(1)
    expect(minutesLeft(ping, noonMs + 31 * minuteMs)).toBe(0)
  })

  test('falls from 1 to 0, starting at the activation of a scheduled ping', () => {
    expect(fractionLeft(pingOf(), noonMs + 15 * minuteMs)).toBe(0.5)
    expect(fractionLeft(pingOf({ starts: 10, ends: 40 }), noonMs)).toBe(1)
    fc.assert(
      fc.property(fc.integer({ min: -500, max: 500 }), fc.integer({ min: -500, max: 500 }), (nowMinutes, ends) => {
        const fraction = fractionLeft(pingOf({ ends }), noonMs + nowMinutes * minuteMs)
        expect(fraction >= 0 && fraction <= 1).toBe(true)
      }),
    )
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

  test('of Friends Nearby: unexpired pings of others, active first', () => {
    const own = pingOf({ id: 'own', owner: ann })
    expect(idsOf(orderNearby([own, ...all], noonMs))).toEqual(['newer', 'older', 'soon', 'later'])
  })

  test('of Friends Nearby by distance if the position is known, and those beyond 100 km are elsewhere', () => {
    const position = { latitude: 40.7589, longitude: -73.9851 }
    const north = (km: number) => ({ latitude: position.latitude + km / 111.2 })
    const near = { ...pingOf({ id: 'near', made: -25 }), ...north(1) }
    const far = { ...pingOf({ id: 'far', made: -1 }), ...north(99) }
    const away = { ...pingOf({ id: 'away', made: -2 }), ...north(101) }
    const farSoon = { ...soon, ...north(80) }
    const ordered = orderNearby([later, away, farSoon, far, near], noonMs, position)
    expect(idsOf(ordered)).toEqual(['near', 'far', 'away', 'soon', 'later'])
    expect(idsOf(ordered.filter((ping) => isElsewhere(ping, position)))).toEqual(['away'])
    expect(ordered.some((ping) => isElsewhere(ping, null))).toBe(false)
  })

  test('does not depend on the order of the input', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (shuffled) => {
        expect(idsOf(orderMine(shuffled, noonMs))).toEqual(idsOf(orderMine(all, noonMs)))
        expect(idsOf(orderNearby(shuffled, noonMs))).toEqual(idsOf(orderNearby(all, noonMs)))
      }),
    )
  })

  test('keeps every ping and ranks any two the same way in every list', () => {
    const minutes = fc.integer({ min: -500, max: 500 })
    const shapes = fc.record({ made: minutes, starts: fc.option(minutes, { nil: undefined }), ends: minutes })
    fc.assert(
      fc.property(fc.array(shapes, { maxLength: 12 }), (drawn) => {
        const pings = drawn.map(({ made, starts, ends }, index) =>
          pingOf({ id: `p${index}`, made, ends, ...(starts !== undefined && { starts }) }),
        )
        const mine = orderMine(pings, noonMs)
        const nearby = orderNearby(pings, noonMs)
        const current = pings.filter((ping) => statusAt(ping, noonMs) !== 'expired')
        expect(idsOf(mine).sort()).toEqual(idsOf(pings).sort())
        expect(idsOf(nearby).sort()).toEqual(idsOf(current).sort())
        for (const [first, second] of pairsOf(mine)) expect(orderMine([first, second], noonMs)).toEqual([first, second])
        for (const [first, second] of pairsOf(nearby))
          expect(orderNearby([first, second], noonMs)).toEqual([first, second])
      }),
    )
  })

  test('does not change its input', () => {
    const before = idsOf(all)
    orderMine(all, noonMs)
    orderNearby(all, noonMs)
    expect(idsOf(all)).toEqual(before)
  })

  test('counts each status by the clock', () => {
    expect(countByStatus(all, noonMs)).toEqual({ active: 2, pending: 2, expired: 2 })
  })
})

describe('the responses', () => {
  test('counts the invitees and approved guests who are going', () => {
    const at = isoOf(0)
    const times = { created_at: at, updated_at: at }
    const given = { ping_id: 'p' as PingId, username: 'bob', display_name: null, response_type: 'accepted', ...times }
    const guest = {
      id: 'g' as GuestId,
      ping_id: 'p' as PingId,
      user_id: null,
      name: 'Mia',
      revision: 0,
      ...times,
    } as const
    const guests = [
      { ...guest, response_type: 'accepted', state: 'approved' },
      { ...guest, response_type: 'accepted', state: 'waiting' },
      { ...guest, response_type: 'tentative', state: 'approved' },
    ] as const
    expect(countGoing({ responses: [{ ...given, user_id: bob } as PingResponse], guests: [...guests] })).toBe(2)
  })

  test('are outdated if the ping has changed since, except those who are not coming', () => {
    const changed = { revision: 2 }
    expect(isOutdated({ response_type: 'accepted', revision: 1 }, changed)).toBe(true)
    expect(isOutdated({ response_type: 'tentative', revision: 0 }, changed)).toBe(true)
    expect(isOutdated({ response_type: 'declined', revision: 1 }, changed)).toBe(false)
    expect(isOutdated({ response_type: 'accepted', revision: 2 }, changed)).toBe(false)
    // One that waits for the network.
    expect(outdatedOf({ response_type: 'accepted', revision: 1 }, changed)).toMatchObject({ revision: 1 })
    expect(outdatedOf({ response_type: null, revision: 1 }, changed)).toBeNull()
    expect(outdatedOf({ response_type: 'accepted' }, changed)).toBeNull()
    expect(outdatedOf(undefined, changed)).toBeNull()
  })

  test('are visible to the owner always, and to invitees if the owner allows it', () => {
    const hidden = { responses_visible: false }
    expect(canSeeResponses({ ...pingOf({ owner: ann }), ...hidden })).toBe(true)
    expect(canSeeResponses({ ...pingOf(), ...hidden })).toBe(false)
    expect(canSeeResponses(pingOf())).toBe(true)
  })
})

describe('pins on the map', () => {
  test('are blue for the viewer, coral for friends, grey while scheduled, and removed after the end', () => {
    const pings = [
      pingOf({ id: 'own', owner: ann }),
      pingOf({ id: 'friend' }),
      pingOf({ id: 'pending', starts: 10, ends: 40 }),
      pingOf({ id: 'over', made: -40, ends: 0 }),
    ]
    const looks = Object.fromEntries(pinsOf(pings, noonMs).map(({ id, look }) => [id, look]))
    expect(looks).toEqual({ own: 'own', friend: 'friend', pending: 'pending' })
  })

  test('have an accessible name', () => {
    const [pin] = pinsOf([pingOf({ ends: 24 })], noonMs)
    expect(pin?.label).toBe('bob, Coffee at Nero, 24 minutes left')
    expect(pin?.caption).toBe('24 min')
  })

  test('of an area have its radius, and its town in the accessible name', () => {
    const area = { address: 'near Hoboken, New Jersey, US', place_radius_m: 1000 } as const
    const [pin] = pinsOf([{ ...pingOf({ ends: 24 }), ...area }], noonMs)
    expect(pin).toMatchObject({ radiusM: 1000, label: 'bob, Coffee at Nero, near Hoboken, 24 minutes left' })
    expect(pinsOf([pingOf({ ends: 24 })], noonMs)[0]?.radiusM).toBeNull()
  })

  test('of the viewer show how many are going, and those of friends do not', () => {
    const responses = (['accepted', 'declined', 'accepted'] as const).map((response_type, index) => ({
      ping_id: 'p' as PingId,
      user_id: `guest${index}` as UserId,
      username: `guest${index}`,
      display_name: null,
      response_type,
      revision: 0,
      created_at: isoOf(0),
      updated_at: isoOf(0),
    }))
    const [own, friend] = [ann, bob].map((owner) => pinsOf([{ ...pingOf({ owner }), responses }], noonMs)[0])
    expect(own).toMatchObject({ note: '2 going', label: expect.stringMatching(/^You, .*, 2 going$/) })
    expect(friend?.note).toBeNull()
    expect(pinsOf([pingOf({ owner: ann })], noonMs)[0]?.note).toBeNull()
  })

  test('without a name are named after their owner, except for the owner', () => {
    const quick = { ...pingOf(), name: 'My Pin', is_unnamed: true }
    expect(titleOf(quick)).toBe("bob's pin")
    expect(titleOf({ ...quick, access: 'owner' })).toBe('My Pin')
    expect(titleOf({ name: 'My Pin', is_unnamed: true, username: 'bob', display_name: null, access: 'visitor' })).toBe(
      "bob's pin",
    )
    expect(titleOf({ ...quick, display_name: 'Роберт' })).toBe("Роберт's pin")
    expect(titleOf(pingOf())).toBe('Coffee at Nero')
  })

  test('that are named like a default name keep it', () => {
    expect(titleOf({ ...pingOf(), name: 'My Pin' })).toBe('My Pin')
  })

  test('do not change every second', () => {
    const ping = pingOf({ ends: 240 })
    expect(pinsOf([ping], noonMs + 1000)).toEqual(pinsOf([ping], noonMs + 2000))
  })
})

describe('an owner', () => {
  test('can extend a ping up to four hours after its activation', () => {
    expect(canExtendBy(60, pingOf({ ends: 180 }))).toBe(true)
    expect(canExtendBy(60, pingOf({ ends: 181 }))).toBe(false)
    expect(canExtendBy(15, pingOf({ ends: 181 }))).toBe(true)
    expect(canExtendBy(15, pingOf({ made: -500, starts: 0, ends: 225 }))).toBe(true)
    expect(canExtendBy(15, pingOf({ ends: 240 }))).toBe(false)
  })

  test('sees the change before the server responds', () => {
    expect(withChange(pingOf(), { extend_minutes: 60 }, noonMs).expires_at).toBe(isoOf(90))
    const ended = withChange(pingOf(), { end: true }, noonMs)
    expect(statusAt(ended, noonMs)).toBe('expired')
    expect(ended.status).toBe('expired')
  })

  test('sees the audience and the end of the ping', () => {
    expect(audienceOf(pingOf(), noonMs)).toMatch(/^1 friend, until \d/)
    expect(audienceOf({ ...pingOf(), is_public: true }, noonMs)).toMatch(/^1 friend and anyone with the link, until /)
    expect(audienceOf({ ...pingOf(), is_public: true, recipients: [] }, noonMs)).toMatch(/^anyone with the link, /)
    expect(audienceOf({ ...pingOf(), recipients: [] }, noonMs)).toMatch(/^only you, /)
    expect(audienceOf(pingOf({ starts: 10, ends: 40 }), noonMs)).toMatch(/^1 friend, .+–/)
    const justMade = { ...pingOf(), created_at: new Date(noonMs + 500).toISOString() }
    expect(audienceOf(justMade, noonMs)).toMatch(/^1 friend, until \d/)
  })
})

test('directions open the configured page or the map apps of the phone', () => {
  const target = { name: 'Café (back) & bar', latitude: 40.5, longitude: -73.25 }
  const template = 'https://maps.example.org/?to={latitude},{longitude}#{latitude}'
  expect(directionsAddress(target, template, 'browser')).toBe('https://maps.example.org/?to=40.5,-73.25#40.5')
  expect(directionsAddress(target, template, 'android')).toBe(
    'geo:40.5,-73.25?q=40.5,-73.25(Caf%C3%A9%20%28back%29%20%26%20bar)',
  )
  expect(directionsAddress(target, template, 'ios')).toMatch(/^https:\/\/maps\.apple\.com\/\?daddr=40\.5,-73\.25&q=/)
})
