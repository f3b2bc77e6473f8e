import fc from 'fast-check'
import { expect, test } from 'vitest'
import { excerpt, highlighted } from './highlights.ts'

const marked = (text: string, query: string) =>
  highlighted(text, query)
    .map((segment) => (segment.isFound ? `[${segment.text}]` : segment.text))
    .join('')

test('marks the beginnings of words without case and in any order', () => {
  expect(marked('Coffee at Nero tonight?', 'ner COF')).toBe('[Cof]fee at [Ner]o tonight?')
  expect(marked('Concert, concerts!', 'concert')).toBe('[Concert], [concert]s!')
})

test('does not mark the middle of a word or another accent', () => {
  expect(marked('bathroom, room', 'room')).toBe('bathroom, [room]')
  expect(marked('café', 'cafe')).toBe('café')
})

test('marks the longest of several matching words of the query', () => {
  expect(marked('Concert', 'con concer')).toBe('[Concer]t')
})

test('marks words directly after punctuation of any language, an emoji or a no-break space', () => {
  expect(marked('¡Hola! ¿Cena?', 'cena hola')).toBe('¡[Hola]! ¿[Cena]?')
  expect(marked('❤️Dinner 1️⃣dinner 🎉dinner', 'din')).toBe('❤️[Din]ner 1️⃣[din]ner 🎉[din]ner')
  expect(marked('at\u00a0Nero', 'ner')).toBe('at\u00a0[Ner]o')
})

test('ignores operators and marks nothing for a query without words', () => {
  expect(marked('a & b', "' | !a <-> b:*")).toBe('[a] & [b]')
  expect(marked('20% off', '%')).toBe('20% off')
})

test('marks words whose lower case has another length', () => {
  expect(marked('İstanbul', 'i̇st')).toBe('[İst]anbul')
})

test('keeps every character of the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (text, query) => {
      expect(
        highlighted(text, query)
          .map((segment) => segment.text)
          .join(''),
      ).toBe(text)
    }),
  )
})

test('starts the excerpt of a long text shortly before the first found word', () => {
  const shown = excerpt(`${'word '.repeat(100)}and then the concert starts`, 'concert')
  expect(shown).toEqual([
    { text: '…word word word and then the ', isFound: false },
    { text: 'concert', isFound: true },
    { text: ' starts', isFound: false },
  ])
  expect(excerpt('At the concert', 'concert')).toEqual(highlighted('At the concert', 'concert'))
})
