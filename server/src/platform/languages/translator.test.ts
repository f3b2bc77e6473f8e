import { locales } from '@hither/contract/runtime/locales.ts'
import { expect, it } from 'vitest'
import { firstLanguage, translatorOf } from './translator.ts'

it('the first known language counts, and English without one', () => {
  expect(firstLanguage(null, 'pt-BR', 'ar', 'de')).toBe('ar')
  expect(firstLanguage(undefined, 'xx')).toBe('en')
})

it('a name is isolated where its direction or that of the text could differ', () => {
  expect(translatorOf('en').t('pushes.dropped', { name: 'Sam' })).toBe('Sam dropped a pin')
  expect(translatorOf('en').t('pushes.dropped', { name: 'سام' })).toBe('\u2068سام\u2069 dropped a pin')
  expect(translatorOf('ar').t('pushes.dropped', { name: 'Sam' })).toBe('وضع \u2068Sam\u2069 دبوسًا')
})

it('a name of an earlier version cannot change the direction of the text behind it', () => {
  for (const name of ['\u202eSam', 'Sam\u2067', '\u2069\u202eSam', '\u2068Sam'])
    expect(translatorOf('en').t('pushes.dropped', { name })).toBe('\u2068Sam\u2069 dropped a pin')
  const { t } = translatorOf('en')
  const name = t('pushes.pinOf', { name: 'سام' })
  expect(t('pushes.named', { name, text: 'Hi' })).toContain(name)
})

it('a count chooses the plural case of the language, with Latin digits', () => {
  const texts = [0, 1, 2, 3, 11, 100].map((count) => translatorOf('ar').t('pushes.guestResponses', { count }))
  expect(texts).toEqual([
    'لا ردود جديدة من ضيوف',
    'رد جديد من ضيف',
    'ردان جديدان من ضيوف',
    '3 ردود جديدة من ضيوف',
    '11 ردًا جديدًا من ضيوف',
    '100 رد جديد من ضيوف',
  ])
})

it('a text of a person is inserted as it is', () => {
  const name = "<b>{x}</b> # 'y' {0, plural, other {z}}"
  for (const { tag } of locales) expect(translatorOf(tag).t('pushes.by', { name })).toContain(name)
})
