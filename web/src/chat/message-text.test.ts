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
    ['<a href="https://example.org">x</a>', ['https://example.org']],
  ])('%s', (content, expected) => {
    expect(links(content)).toEqual(expected)
  })

  test('take nothing away from the text', () => {
    const content = 'a https://b.org, c (https://d.org/e) <b>f</b> https://'
    const text = partsOf(content).map((part) => part.text)
    expect(text.join('')).toBe(content)
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
