import type { Message } from '@hither/contract/runtime/message-format.ts'
import { afterEach, expect, test, vi } from 'vitest'

async function inLanguage(lang: string, preferred: readonly string[] = []) {
  vi.resetModules()
  vi.stubGlobal('document', { documentElement: { lang } })
  vi.stubGlobal('navigator', { languages: preferred })
  const { addMessages, t, textOf } = await import('./translate.ts')
  for (const group of ['visitor', 'home', 'rest']) {
    const { default: messages } = await import(`../../../locales/compiled/${lang}/${group}.json`)
    addMessages(messages as Record<string, Message>)
  }
  return { t, textOf, listText: (await import('./format.ts')).listText }
}

afterEach(() => vi.unstubAllGlobals())

test('an Arabic count has the form of its plural case, and three friends are a list', async () => {
  const { t, listText } = await inLanguage('ar', ['ar-EG'])
  const members = [0, 1, 2, 3, 11, 100].map((count) => t('chat.conversation.members', { count }))
  expect(new Set(members).size).toBe(6)
  expect(members[3]).toContain('3')
  expect(listText(['آن', 'بوب', 'كات'])).toBe('آن وبوب وكات')
})

test('a name in another direction is isolated, and one in the same is not', async () => {
  const english = await inLanguage('en')
  expect(english.t('pings.by', { username: 'Ann' })).toBe('by Ann')
  expect(english.t('pings.by', { username: 'آن' })).toBe('by \u2068آن\u2069')
  const arabic = await inLanguage('ar')
  expect(arabic.t('pings.by', { username: 'Ann' })).toContain('\u2068Ann\u2069')
})

test('numbers have the format of the language, with Latin digits', async () => {
  expect((await inLanguage('de', ['de-DE'])).t('chat.unread', { count: 1234 })).toContain('1.234')
  expect((await inLanguage('ar', ['ar-EG'])).t('chat.unread', { count: 12 })).toContain('12')
})

test('a text that is not loaded is an error, and a code without a text has none', async () => {
  const { t, textOf } = await inLanguage('en')
  expect(() => t('no.such.text' as 'ui.retry')).toThrow('The text no.such.text is not loaded')
  expect(textOf('errors.no_such_code')).toBeNull()
})

test('a wrong key, a missing and a wrong placeholder do not compile', async () => {
  const { t } = await inLanguage('en')
  // @ts-expect-error The placeholder is missing.
  expect(t('pings.by')).toBe('by ')
  // @ts-expect-error There is no such placeholder.
  expect(t('pings.by', { name: 'Ann' })).toBe('by ')
  // @ts-expect-error There is no such key.
  expect(() => t('pings.typo')).toThrow()
})
