import { expect, test } from 'vitest'
import { checkConfirmation, checkEmail, checkNewPassword, checkUsername } from './account.rules.ts'

test('a username has 2 to 30 allowed characters after trimming', () => {
  expect(checkUsername('  ')).toBe('Please fill in all fields')
  expect(checkUsername('', 'Please fill in all required fields')).toBe('Please fill in all required fields')
  expect(checkUsername('a')).toBe('Username must be at least 2 characters long')
  expect(checkUsername('a'.repeat(31))).toBe('Username must be 30 characters or less')
  for (const name of ['ann b', '..']) expect(checkUsername(name)).toMatch(/^Use only letters/)
  expect(checkUsername(' ann.b_2- ')).toBe(true)
})

test('an email has text before and after the @, and a dot', () => {
  expect(checkEmail('')).toBe('Please fill in all fields')
  for (const email of ['ann', 'ann@', 'ann@example', '@example.com', 'a b@example.com']) {
    expect(checkEmail(email)).toBe('Please enter a valid email address')
  }
  expect(checkEmail(' ann@example.com ')).toBe(true)
})

test('a new password has at least 6 characters and matches its repetition', () => {
  expect(checkNewPassword('')).toBe('Please fill in all fields')
  expect(checkNewPassword('12345')).toBe('Password must be at least 6 characters long')
  expect(checkNewPassword('123456')).toBe(true)
  expect(checkConfirmation('', '123456')).toBe('Please fill in all fields')
  expect(checkConfirmation('123457', '123456')).toBe('Passwords do not match')
  expect(checkConfirmation('123456', '123456')).toBe(true)
})
