import { type UserId } from '@hither/contract/ids.ts'
import { type CreatePing, pingLimits } from '@hither/contract/pings.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type InvalidInput } from '../platform/refusal.ts'
import { assertRoomForAnother, chooseRecipients, endOf, planPing, seersOf } from './pings.rules.ts'

const horizonMs = pingLimits.scheduleHorizonMs
const people = ['ann', 'bob', 'cat', 'dan', 'eve'] as UserId[]
const somePeople = fc.uniqueArray(fc.constantFrom(...people))
const moment = fc.date({ min: new Date('2026-01-01'), max: new Date('2036-01-01'), noInvalidDate: true })

function faultsOf(work: () => unknown): string[] {
  try {
    work()
    return []
  } catch (error) {
    return (error as InvalidInput).faults.map(({ loc }) => loc.join('.'))
  }
}

function inputOf(fields: Partial<CreatePing>): CreatePing {
  return { name: 'Coffee', latitude: 0, longitude: 0, ...fields }
}

describe('a plan for a ping', () => {
  it('lasts its duration from its activation, or else from now', () => {
    const aheadMs = fc.option(fc.integer({ min: 1, max: horizonMs }), { nil: null })
    const duration = fc.constantFrom(...pingLimits.durationsMinutes, undefined)
    fc.assert(
      fc.property(moment, aheadMs, duration, (now, ms, duration_minutes) => {
        const activates_at = ms === null ? null : new Date(now.getTime() + ms).toISOString()
        const plan = planPing(inputOf({ activates_at, ...(duration_minutes && { duration_minutes }) }), now)
        expect(plan.createdAt).toEqual(now)
        expect(plan.activatesAt?.toISOString() ?? null).toBe(activates_at)
        expect(plan.expiresAt.getTime()).toBe(now.getTime() + (ms ?? 0) + (duration_minutes ?? 30) * 60_000)
      }),
    )
  })

  it('activates within the next 30 days and at no other time', () => {
    const anyMs = fc.oneof(
      fc.constantFrom(-1, 0, 1, horizonMs, horizonMs + 1),
      fc.integer({ min: -2 * horizonMs, max: 2 * horizonMs }),
    )
    fc.assert(
      fc.property(moment, anyMs, (now, ms) => {
        const activates_at = new Date(now.getTime() + ms).toISOString()
        const faults = faultsOf(() => planPing(inputOf({ activates_at }), now))
        expect(faults).toEqual(ms > 0 && ms <= horizonMs ? [] : ['body.activates_at'])
      }),
    )
  })

  it('has a name of 1 to 50 characters, whatever is around it', () => {
    const blank = fc.string({ unit: fc.constantFrom(' ', '\t', '\n'), maxLength: 3 })
    const letters = fc.array(fc.constantFrom('a', 'é', '📍', '字'), { maxLength: 60 })
    fc.assert(
      fc.property(blank, letters, blank, (before, name, after) => {
        const plan = () => planPing(inputOf({ name: before + name.join('') + after }), new Date())
        if (name.length > 0 && name.length <= 50) expect(plan().name).toBe(name.join(''))
        else expect(faultsOf(plan)).toEqual(['body.name'])
      }),
    )
  })

  it('tells of all that is wrong at once', () => {
    const input = inputOf({ name: '', activates_at: '2000-01-01T00:00:00Z' })
    expect(faultsOf(() => planPing(input, new Date()))).toEqual(['body.name', 'body.activates_at'])
  })
})

describe('the guests chosen', () => {
  it('are friends, each once, all of those named or all there are; and none only where that may be', () => {
    const named = fc.option(fc.array(fc.constantFrom(...people)), { nil: null })
    fc.assert(
      fc.property(named, somePeople, fc.boolean(), (recipient_ids, friends, is_public) => {
        const choose = () => chooseRecipients({ recipient_ids, is_public }, friends)
        const wanted = new Set(recipient_ids ?? friends)
        const mayBe = [...wanted].every((id) => friends.includes(id)) && (is_public || wanted.size > 0)
        if (mayBe) expect(choose()).toEqual([...wanted])
        else expect(faultsOf(choose)).toEqual(['body.recipient_ids'])
      }),
    )
  })
})

describe('those who see an answer', () => {
  it('are among those who see the ping, with the owner and the one who answered; nobody sees one of whoever went', () => {
    fc.assert(
      fc.property(somePeople, fc.constantFrom(...people), fc.boolean(), (invitee_ids, user_id, responses_visible) => {
        const owner = 'owner' as UserId
        const seers = new Set(
          seersOf({ user_id }, { user_id: owner, responses_visible, invitee_ids, blocked_pairs: [] }),
        )
        if (!invitee_ids.includes(user_id)) expect(seers).toEqual(new Set())
        else expect(seers).toEqual(new Set([owner, ...(responses_visible ? invitee_ids : [user_id])]))
      }),
    )
  })
})

it('a response is shown to nobody who has blocked its author, or whom its author has blocked', () => {
  const [ann, bob, cat, dan] = ['ann', 'bob', 'cat', 'dan'] as UserId[] as [UserId, UserId, UserId, UserId]
  const ping = { user_id: ann, responses_visible: true, invitee_ids: [bob, cat, dan] }
  expect(seersOf({ user_id: bob }, { ...ping, blocked_pairs: [[cat, bob]] })).toEqual([ann, bob, dan])
  expect(
    seersOf(
      { user_id: bob },
      {
        ...ping,
        blocked_pairs: [
          [bob, cat],
          [cat, dan],
        ],
      },
    ),
  ).toEqual([ann, bob, dan])
})

it('there is room for 50 pings and no more', () => {
  expect(() => assertRoomForAnother(49)).not.toThrow()
  expect(() => assertRoomForAnother(50)).toThrow()
})

it('a ping that another server with a clock ahead created ends no earlier than it starts', () => {
  const now = new Date('2026-11-21T12:00:00.000Z')
  const times = { created_at: '2026-11-21T12:00:05.000Z', expires_at: '2026-11-21T12:30:00.000Z' }
  const ping = { ...times, status: 'active', activates_at: null } as const
  expect(endOf(ping, null, now)).toEqual(new Date(ping.created_at))
  const later = new Date('2026-11-21T12:10:00.000Z')
  expect(endOf(ping, null, later)).toEqual(later)
})
