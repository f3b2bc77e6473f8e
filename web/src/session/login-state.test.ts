import { expect, test } from 'vitest'
import { clearFriendCode, storeFriendCode } from './friend-code.ts'
import { inviterOf, pathAfterSignIn, returnPath } from './login-state.ts'

test('returns the path to which the sign-in returns, also for deep links', () => {
  expect(returnPath({ from: '/friends?tab=sent#top' })).toBe('/friends?tab=sent#top')
})

test.each([null, undefined, {}, { from: 7 }, { from: '' }])('returns the home path for the state %j', (state) => {
  expect(returnPath(state)).toBe('/')
})

test.each(['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)'])(
  'returns no path outside of the app for %s',
  (from) => {
    expect(returnPath({ from })).toBe('/')
  },
)

test('leads to the page of a friend link after the sign-in unless the sign-up has used the link', () => {
  storeFriendCode('code')
  expect(pathAfterSignIn({ from: '/add' })).toBe('/add')
  clearFriendCode()
  expect(pathAfterSignIn({ from: '/add' })).toBe('/')
  expect(pathAfterSignIn({ from: '/chat' })).toBe('/chat')
})

test.each([
  [{ inviter: 'sam' }, 'sam'],
  [{ inviter: '' }, undefined],
  [{ inviter: 7 }, undefined],
  [null, undefined],
])('returns the creator of the opened friend link for the state %j', (state, inviter) => {
  expect(inviterOf(state)).toBe(inviter)
})
