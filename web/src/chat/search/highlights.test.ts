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

test('marks the same word in another normal form, width or case', () => {
  expect(marked('at Cafe\u0301 Tacuba', 'caf\u00e9')).toBe('at [Cafe\u0301] Tacuba')
  expect(marked('at caf\u00e9 Tacuba', 'cafe\u0301 tac')).toBe('at [caf\u00e9] [Tac]uba')
  expect(marked('\u03a3\u038a\u03a3\u03a5\u03a6\u039f\u03a3!', '\u03c3\u03af\u03c3\u03c5\u03c6\u03bf\u03c2')).toBe(
    '[\u03a3\u038a\u03a3\u03a5\u03a6\u039f\u03a3]!',
  )
  expect(marked('\uff26\uff35\uff2c\uff2c', 'fu')).toBe('[\uff26\uff35]\uff2c\uff2c')
  expect(marked('Stra\u00dfen', 'STRASSE')).toBe('[Stra\u00dfe]n')
  expect(marked('din\u00adner', 'dinn')).toBe('[din\u00adn]er')
})

test('marks every part of a text in a script without spaces', () => {
  expect(marked('\u660e\u65e5\u306e\u96fb\u8a71\u3067\u96fb\u8a71', '\u96fb\u8a71')).toBe(
    '\u660e\u65e5\u306e[\u96fb\u8a71]\u3067[\u96fb\u8a71]',
  )
  expect(marked('\uff97\uff70\uff92\uff9d3\u6642', '\u30e9\u30fc\u30e1\u30f3')).toBe(
    '[\uff97\uff70\uff92\uff9d]3\u6642',
  )
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
