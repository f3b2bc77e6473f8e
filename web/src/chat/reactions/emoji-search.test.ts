import { quickEmoji, reactionLimits } from '@hither/contract/runtime/reactions.ts'
import { expect, test } from 'vitest'
import { emojiName } from './emoji-names.ts'
import { emojiGroups, findEmoji } from './emoji-search.ts'

const all = emojiGroups.flatMap(({ emoji }) => emoji)

test('the list has only emoji that the server accepts, each once', () => {
  const rejected = all.filter(
    ({ emoji }) =>
      !/^\p{RGI_Emoji}$/v.test(emoji) || new TextEncoder().encode(emoji).length > reactionLimits.emojiBytes,
  )
  expect(rejected).toEqual([])
  expect(new Set(all.map(({ emoji }) => emoji)).size).toBe(all.length)
  expect(all.length).toBeGreaterThan(1800)
})

test('the emoji of the quick choice have the names of the list', () => {
  for (const emoji of quickEmoji) expect(emojiName(emoji)).toBe(all.find((one) => one.emoji === emoji)?.name)
})

test('finds emoji by the beginnings of words, in any order and case', () => {
  const found = (query: string) => findEmoji(query).map(({ emoji }) => emoji)
  expect(found('UP thu')).toContain('👍')
  expect(found('party')).toContain('🎉')
  expect(found('flag: Fra')).toContain('🇫🇷')
  expect(found('🎉')).toEqual(['🎉'])
  expect(found('humbs')).toEqual([])
})
