import { readdirSync } from 'node:fs'
import { locales } from '@hither/contract/runtime/locales.ts'
import { describe, expect, it } from 'vitest'
import { findBrowserApis } from '../../scripts/checks/browser-apis.ts'
import { findPhysicalStyles } from '../../scripts/checks/physical-styles.ts'
import { findUnguardedKeys } from '../../scripts/checks/pressed-keys.ts'
import { findDefaultLocales, findTexts } from '../../scripts/checks/texts.ts'
import { compile, readSources } from '../../scripts/messages/catalogs.ts'
import { root } from '../../scripts/run.ts'

const source = (text: string) => ({ text, file: 'locales/en/x.po' })

describe('the catalogs', () => {
  const english = readSources('en')

  it.each(locales.map(({ tag }) => tag))('have the same keys and placeholders in %s, and all plural cases', (tag) => {
    const sources = readSources(tag)
    expect([...sources.keys()].sort()).toEqual([...english.keys()].sort())
    for (const [key, text] of sources) {
      // Throws an error if a plural case of the language is missing.
      const { placeholders } = compile(tag, key, text)
      const known = compile('en', key, english.get(key) ?? text).placeholders
      expect([key, [...placeholders.keys()].sort()]).toEqual([key, [...known.keys()].sort()])
    }
  })

  it('exist for each listed language, and for no other', () => {
    const folders = readdirSync(`${root}locales`, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    const tags = folders.map(({ name }) => name).filter((name) => name !== 'compiled')
    expect(tags.sort()).toEqual(locales.map(({ tag }) => tag))
  })

  it.each([
    ['markup', 'Press <b>here</b>', /markup or a control character/],
    ['a character that changes the direction', 'A\u202Eb', /markup or a control character/],
    ['more than 1,000 characters', 'x'.repeat(1001), /more than 1000 characters/],
    ['a plural case too few', '{count, plural, other {# pins}}', /has no case for one/],
    ['no message', '{count, plural, one {', /is no message/],
    ['another kind of placeholder', '{when, date}', /is not supported/],
  ])('are refused with %s', (_name, text, sentence) => {
    expect(() => compile('en', 'x.y', source(text))).toThrow(sentence)
  })
})

describe('the check of texts in the code', () => {
  const textsIn = (text: string) => findTexts([{ path: 'x.tsx', text }])

  it.each([
    ['<p>Hello there</p>'],
    ['<p title="Hello" />'],
    ['<Field label={isNew ? "New name" : strings.name} />'],
    ['<i aria-label={`Open now`} />'],
    ['<b>{showError("It failed")}</b>'],
  ])('finds the one in %s', (jsx) => {
    expect(textsIn(`export const x = ${jsx}`)).toHaveLength(1)
  })

  it('are found among joined parts of a label', () => {
    expect(
      textsIn(`export const pin = { label: [isOwn ? 'You' : name, time].filter(Boolean).join(', ') }`),
    ).toHaveLength(1)
  })

  it.each([['<p>{strings.hello}</p>'], ['<p className="open" />'], ['<Field label={t("x.y")} />'], ['<p> · </p>']])(
    'finds none in %s',
    (jsx) => {
      expect(textsIn(`export const x = ${jsx}`)).toEqual([])
    },
  )
})

it('a format or a change of case without a locale is found', () => {
  const text = 'new Intl.NumberFormat()\nx.toLocaleString(undefined, y)\nb.toLocaleLowerCase()'
  expect(findDefaultLocales([{ path: 'x.ts', text }])).toHaveLength(3)
  const named = 'new Intl.NumberFormat(formattingLocale)\na.toLocaleString(formattingLocale)'
  expect(findDefaultLocales([{ path: 'x.ts', text: named }])).toEqual([])
})

it('a style that depends on left and right is found, and the padding of a map is not', () => {
  const text = `
    export const Row = () => <Box sx={{ ml: 1, p: 2, textAlign: 'left', '& b': { right: { xs: 8 } } }} />
    map.fitBounds(bounds, { padding: { top: 1, right: 2, bottom: 3, left: 4 } })
    export const strings = { left: (duration) => duration, ok: { left } }`
  expect(findPhysicalStyles([{ path: 'row.tsx', text }])).toEqual([
    'row.tsx: the style ml should be marginInlineStart',
    'row.tsx: the text should be aligned to its start or end',
    'row.tsx: the style right should be insetInlineEnd',
  ])
})

it('a handler that reads a key without the guard for input methods is found', () => {
  const text = `
    const handleKey = (event: KeyboardEvent) => event.key === 'Enter' && send()
    const handleOther = ({ key }: KeyboardEvent) => key
    const handleGuarded = (event: KeyboardEvent) => pressedKey(event) === 'Enter' && send(row.key)`
  expect(findUnguardedKeys([{ path: 'row.tsx', text }])).toHaveLength(2)
})

it('a browser API that may be missing is found where nothing stands in for it', () => {
  const text = `// crypto.randomUUID
    const id = crypto.randomUUID() + globalThis.crypto.randomUUID()
    localStorage.setItem('a', 'b')
    if ('share' in navigator) await globalThis.navigator.share({ id })
    const { length } = navigator.languages`
  const found = findBrowserApis([{ path: 'row.tsx', text }])
  expect(found.map((sentence) => sentence.split(' ')[1])).toEqual([
    'crypto.randomUUID',
    'localStorage',
    'navigator.share',
  ])
  expect(findBrowserApis([{ path: 'device/storage.ts', text: 'localStorage.length' }])).toEqual([])
})
