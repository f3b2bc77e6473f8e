import { describe, expect, it } from 'vitest'
import { laneLimits, type Sending, vacancyOf } from './lanes.rules.ts'

const { fast, slow, perHost } = laneLimits
const push = (user_id: string, host = 'push.example', is_slow = false): Sending => ({
  user_id,
  endpoint: `https://${host}/of/${user_id}`,
  is_slow,
})
const pushes = (count: number, host: string) => Array.from({ length: count }, (_, i) => push(`${host} ${i}`, host))

describe('the lanes', () => {
  it('are all free at first, up to the share of one host', () => {
    expect(vacancyOf(false, [])).toEqual({ limit: perHost, exceptPeople: [], exceptHosts: [] })
    expect(vacancyOf(true, [])).toEqual({ limit: slow, exceptPeople: [], exceptHosts: [] })
  })

  it('leave out a person who has two of them', () => {
    expect(vacancyOf(false, [push('ann'), push('bob'), push('ann')]).exceptPeople).toEqual(['ann'])
    expect(vacancyOf(false, [push('ann'), push('ann', 'push.example', true)]).exceptPeople).toEqual(['ann'])
    expect(vacancyOf(true, [push('ann'), push('ann'), push('bob')]).exceptPeople).toEqual(['ann'])
  })

  it('leave out a person with a slow push from the slow lanes only', () => {
    const sending = [push('ann', 'push.example', true)]
    expect(vacancyOf(true, sending)).toEqual({ limit: slow - 1, exceptPeople: ['ann'], exceptHosts: [] })
    expect(vacancyOf(false, sending)).toEqual({ limit: perHost, exceptPeople: [], exceptHosts: [] })
  })

  it('never give a host more than its share', () => {
    expect(vacancyOf(false, pushes(perHost - 1, 'one.example'))).toMatchObject({ limit: 1, exceptHosts: [] })
    const full = pushes(perHost, 'one.example')
    expect(vacancyOf(false, full)).toMatchObject({ limit: fast - perHost, exceptHosts: ['one.example'] })
    expect(vacancyOf(false, [...full, ...pushes(3, 'two.example')])).toMatchObject({ limit: fast - perHost - 3 })
  })

  it('have no vacancy once they are all taken', () => {
    const full = [...pushes(perHost, 'one.example'), ...pushes(fast - perHost, 'two.example')]
    expect(vacancyOf(false, full).limit).toBe(0)
    expect(vacancyOf(true, full).limit).toBe(slow)
  })
})
