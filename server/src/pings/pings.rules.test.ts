import type { UserId } from '@hither/contract/ids.ts'
import type { CreatePing } from '@hither/contract/pings.ts'
import { pingLimits } from '@hither/contract/runtime/pings.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { InvalidInput } from '../platform/errors/refusal.ts'
import { assertBelowPingLimit, chooseRecipients, endOf, planPing } from './pings.rules.ts'

const horizonMs = pingLimits.scheduleHorizonMs
const people = ['ann', 'bob', 'cat', 'dan', 'eve'] as UserId[]
const somePeople = fc.uniqueArray(fc.constantFrom(...people))
const moment = fc.date({ min: new Date('2026-01-01'), max: new Date('2036-01-01'), noInvalidDate: true })

function fieldErrorsOf(work: () => unknown): string[] {
  try {
    work()
    return []
  } catch (error) {
    return (error as InvalidInput).fieldErrors.map(({ loc }) => loc.join('.'))
  }
}

const area = { latitude: 0.005, longitude: 0.005, address: null, radius_m: 1000 } as const

function inputOf(fields: Partial<CreatePing>): CreatePing {
  return { name: 'Coffee', latitude: 0, longitude: 0, ...fields }
}

describe('the plan of a ping', () => {
  it('lasts its duration from the activation, or from now without one', () => {
    const aheadMs = fc.option(fc.integer({ min: 1, max: horizonMs }), { nil: null })
    const duration = fc.constantFrom(...pingLimits.durationsMinutes, undefined)
    fc.assert(
      fc.property(moment, aheadMs, duration, (now, ms, duration_minutes) => {
        const activates_at = ms === null ? null : new Date(now.getTime() + ms).toISOString()
        const plan = planPing(inputOf({ activates_at, ...(duration_minutes && { duration_minutes }) }), now, area)
        expect(plan.createdAt).toEqual(now)
        expect(plan.activatesAt?.toISOString() ?? null).toBe(activates_at)
        expect(plan.expiresAt.getTime()).toBe(now.getTime() + (ms ?? 0) + (duration_minutes ?? 30) * 60_000)
      }),
    )
  })

  it('accepts an activation within the next 30 days only', () => {
    const anyMs = fc.oneof(
      fc.constantFrom(-1, 0, 1, horizonMs, horizonMs + 1),
      fc.integer({ min: -2 * horizonMs, max: 2 * horizonMs }),
    )
    fc.assert(
      fc.property(moment, anyMs, (now, ms) => {
        const activates_at = new Date(now.getTime() + ms).toISOString()
        const fieldErrors = fieldErrorsOf(() => planPing(inputOf({ activates_at }), now, area))
        expect(fieldErrors).toEqual(ms > 0 && ms <= horizonMs ? [] : ['body.activates_at'])
      }),
    )
  })

  it('accepts a name of 1 to 50 characters after trimming', () => {
    const blank = fc.string({ unit: fc.constantFrom(' ', '\t', '\n'), maxLength: 3 })
    const letters = fc.array(fc.constantFrom('a', 'é', '📍', '字'), { maxLength: 60 })
    fc.assert(
      fc.property(blank, letters, blank, (before, name, after) => {
        const plan = () => planPing(inputOf({ name: before + name.join('') + after }), new Date(), area)
        if (name.length > 0 && name.length <= 50) expect(plan().name).toBe(name.join(''))
        else expect(fieldErrorsOf(plan)).toEqual(['body.name'])
      }),
    )
  })

  it('reports all errors at once', () => {
    const input = inputOf({ name: '', activates_at: '2000-01-01T00:00:00Z' })
    expect(fieldErrorsOf(() => planPing(input, new Date(), area))).toEqual(['body.name', 'body.activates_at'])
  })
})

describe('the chosen recipients', () => {
  it('are the named friends without duplicates, or all friends, in the order of their ids; may be empty only for a public ping', () => {
    const named = fc.option(fc.array(fc.constantFrom(...people)), { nil: null })
    fc.assert(
      fc.property(named, somePeople, fc.boolean(), (recipient_ids, friends, is_public) => {
        const choose = () => chooseRecipients({ recipient_ids, is_public }, friends)
        const wanted = new Set(recipient_ids ?? friends)
        const mayBe = [...wanted].every((id) => friends.includes(id)) && (is_public || wanted.size > 0)
        if (mayBe) expect(choose()).toEqual([...wanted].sort())
        else expect(fieldErrorsOf(choose)).toEqual(['body.recipient_ids'])
      }),
    )
  })
})

it('allows 50 unexpired pings and no more', () => {
  expect(() => assertBelowPingLimit(49)).not.toThrow()
  expect(() => assertBelowPingLimit(50)).toThrow()
})

it('does not end a ping before its start if a server with a fast clock created it', () => {
  const now = new Date('2026-11-21T12:00:00.000Z')
  const times = { created_at: '2026-11-21T12:00:05.000Z', expires_at: '2026-11-21T12:30:00.000Z' }
  const ping = { ...times, status: 'active', activates_at: null } as const
  expect(endOf(ping, null, now)).toEqual(new Date(ping.created_at))
  const later = new Date('2026-11-21T12:10:00.000Z')
  expect(endOf(ping, null, later)).toEqual(later)
})
