import { expect, test } from 'vitest'
import { checkRecoveryCode, normalizeRecoveryCode } from './recovery-code.rules.ts'

test.each(['K7QM-2XPD-9TRA-H4WE', 'k7qm2xpd9trah4we', ' k7qm 2xpd 9tra h4we ', 'K7QM–2XPD–9TRA–H4WE'])(
  'reads %j as the same recovery code',
  (typed) => {
    expect(normalizeRecoveryCode(typed)).toBe('K7QM-2XPD-9TRA-H4WE')
    expect(checkRecoveryCode(typed, 'missing')).toBe(true)
  },
)

test('reads O as 0, and I and L as 1', () => {
  expect(normalizeRecoveryCode('oO0i-IlL1-0000-1111')).toBe('0001-1111-0000-1111')
})

test.each(['K7QM-2XPD-9TRA', 'K7QM-2XPD-9TRA-H4WEE', 'K7QM-2XPD-9TRA-H4W!', 'U7QM-2XPD-9TRA-H4WE'])(
  'rejects %j before it is sent',
  (typed) => {
    expect(checkRecoveryCode(typed, 'missing')).toBe('A recovery code has 16 letters and numbers.')
  },
)

test('an empty field gets the text of a missing field', () => {
  expect(checkRecoveryCode(' ', 'missing')).toBe('missing')
})
