import { expect, test } from 'vitest'
import { placeBefore } from './login-state.ts'

test('someone sent to sign in comes back to where they were, deep links included', () => {
  expect(placeBefore({ from: '/friends?tab=sent#top' })).toBe('/friends?tab=sent#top')
})

test.each([null, undefined, {}, { from: 7 }, { from: '' }])('without a remembered place (%j) home is next', (state) => {
  expect(placeBefore(state)).toBe('/')
})

test.each(['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)'])(
  'nobody is led away from the app to %s',
  (from) => {
    expect(placeBefore({ from })).toBe('/')
  },
)
