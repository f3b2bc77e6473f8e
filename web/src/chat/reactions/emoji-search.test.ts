import { readFileSync } from 'node:fs'
import { locales, sourceLanguage } from '@hither/contract/runtime/locales.ts'
import { quickEmoji, reactionLimits } from '@hither/contract/runtime/messages/reactions.ts'
import { expect, test } from 'vitest'
import { emojiList } from './emoji-list.ts'
import { emojiName } from './emoji-names.ts'
import { emojiGroups, findEmoji, parseEmoji } from './emoji-search.ts'

const all = emojiGroups().flatMap(({ emoji }) => emoji)

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

test.each(locales.flatMap(({ tag }) => (tag === sourceLanguage ? [] : [tag])))(
  'every emoji has a name in %s, and is also found in English',
  (tag) => {
    const file = new URL(`../../../../locales/${tag}/emoji.json`, import.meta.url)
    const names = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
    expect(Object.keys(names)).toEqual(all.map(({ emoji }) => emoji))
    const translated = parseEmoji(emojiList, names).flatMap(({ emoji }) => emoji)
    const rose = translated.find(({ emoji }) => emoji === '🌹')
    expect(rose?.name).toBe(names['🌹']?.split('|')[0])
    expect(rose?.words).toContain(`${rose?.name.toLowerCase()} `)
    expect(rose?.words).toContain('rose')
  },
)

test('the groups have the names of the page', () => {
  expect(emojiGroups().map(({ name }) => name)).toEqual([
    'Smileys',
    'People',
    'Animals and nature',
    'Food and drink',
    'Travel and places',
    'Activities',
    'Objects',
    'Symbols',
    'Flags',
  ])
})
