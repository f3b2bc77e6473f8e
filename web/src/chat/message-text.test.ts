import { describe, expect, test } from 'vitest'
import { isEmojiOnly, partsOf } from './message-text.ts'

const links = (content: string) => partsOf(content).flatMap((part) => (part.kind === 'link' ? [part.text] : []))

describe('links', () => {
  test.each([
    ['see https://example.org/a?b=1#c.', ['https://example.org/a?b=1#c']],
    ['(http://example.org)', ['http://example.org']],
    ['https://en.wikipedia.org/wiki/Pin_(disambiguation)', ['https://en.wikipedia.org/wiki/Pin_(disambiguation)']],
    ['HTTPS://EXAMPLE.ORG, and https://b.org!', ['HTTPS://EXAMPLE.ORG', 'https://b.org']],
    ['javascript:alert(1) data:text/html,x ftp://a.org www.example.org', []],
    ['https://', []],
    ['https://example.org@other.org/', ['https://example.org']],
    ['https://münchen.example/straße', ['https://münchen.example/straße']],
    ['<a href="https://example.org">x</a>', ['https://example.org']],
  ])('%s', (content, expected) => {
    expect(links(content)).toEqual(expected)
  })

  test('take nothing away from the text', () => {
    const content = 'a https://b.org, c (https://d.org/e) <b>f</b> https://'
    const text = partsOf(content).map((part) => part.text)
    expect(text.join('')).toBe(content)
  })

  test('has at most 2,048 characters; a longer address stays text', () => {
    const longest = `https://example.org/${'a'.repeat(2048 - 20)}`
    expect(links(`see ${longest} now`)).toEqual([longest])
    expect(partsOf(`see ${longest}a now`)).toEqual([{ kind: 'text', text: `see ${longest}a now` }])
  })
})

describe('hostile messages of 4,000 characters are parsed in linear time', () => {
  const hostile = [
    `http://a/${'.'.repeat(1990)}${')'.repeat(1990)}`,
    `http://a/${'('.repeat(1990)}${')'.repeat(1990)}`,
    `http://a/${'[('.repeat(995)}${')]'.repeat(995)}`,
    `http://${'a.'.repeat(1990)}`,
    'http://'.repeat(571),
    'http://a.b/ '.repeat(333),
  ]

  // With quadratic time, the repetitions take longer than a test may.
  test.each(hostile.map((content) => [`${content.slice(0, 20)}…`, content]))('%s', (_, content) => {
    for (let round = 0; round < 3; round++) {
      const text = partsOf(content).map((part) => part.text)
      expect(text.join('')).toBe(content)
    }
  })
})

test.each([
  ['🎉', true],
  ['👍🏽 👩‍👩‍👧', true],
  ['🇩🇪❤️', true],
  ['🎉🎉🎉🎉🎉🎉🎉', false],
  ['123', false],
  ['*', false],
  ['ok 👍', false],
  ['', false],
])('%s is nothing but emoji: %s', (content, expected) => {
  expect(isEmojiOnly(content)).toBe(expected)
})
