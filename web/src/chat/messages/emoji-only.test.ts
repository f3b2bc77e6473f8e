import { expect, test } from 'vitest'
import { isEmojiOnly } from './emoji-only.ts'

test.each([
  ['🎉', true],
  ['👍🏽 👩‍👩‍👧', true],
  ['🇩🇪❤️', true],
  ['🎉🎉🎉🎉🎉🎉🎉', false],
  ['123', false],
  ['*', false],
  ['ok 👍', false],
  ['', false],
])('isEmojiOnly returns for %s: %s', (content, expected) => {
  expect(isEmojiOnly(content)).toBe(expected)
})
