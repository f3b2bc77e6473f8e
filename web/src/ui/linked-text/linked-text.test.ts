import { describe, expect, test } from 'vitest'
import { partsOf } from './linked-text.ts'

const links = (content: string) => partsOf(content).flatMap((part) => (part.kind === 'link' ? [part.text] : []))

describe('links', () => {
  test.each([
    ['see https://example.org/a?b=1#c.', ['https://example.org/a?b=1#c']],
    ['(http://example.org)', ['http://example.org']],
    ['https://en.wikipedia.org/wiki/Pin_(disambiguation)', ['https://en.wikipedia.org/wiki/Pin_(disambiguation)']],
    ['HTTPS://EXAMPLE.ORG, and https://b.org!', ['HTTPS://EXAMPLE.ORG', 'https://b.org']],
    ['javascript:alert(1) data:text/html,x ftp://a.org mailto:ann@example.org example.org 127.0.0.1', []],
    ['www.example.org/a, WWW.b.org.', ['www.example.org/a', 'WWW.b.org']],
    ['https://', []],
    ['https://example.org@other.org/', ['https://example.org']],
    ['https://münchen.example/straße', ['https://münchen.example/straße']],
    ['<a href="https://example.org">x</a>', ['https://example.org']],
  ])('%s', (content, expected) => {
    expect(links(content)).toEqual(expected)
  })

  test('do not change the text', () => {
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

test('email addresses, www. and phone numbers are links of their schemes', () => {
  const hrefs = (content: string) => partsOf(content).flatMap((part) => (part.kind === 'link' ? [part.href] : []))
  expect(hrefs('Write to ann.b@example.org, or see www.example.org.')).toEqual([
    'mailto:ann.b@example.org',
    'https://www.example.org/',
  ])
  expect(hrefs('Call +49 (0)30 123456, 030/123456 or (555) 123-4567.')).toEqual([
    'tel:+49030123456',
    'tel:030123456',
    'tel:5551234567',
  ])
  expect(hrefs('On 2026-11-21 or 21.11.2026 at 10:30, 1234567 people, 1,000,000, id 12345678901')).toEqual([])
})

describe('hostile messages of 4,000 characters are parsed in linear time', () => {
  const hostile = [
    `http://a/${'.'.repeat(1990)}${')'.repeat(1990)}`,
    `http://a/${'('.repeat(1990)}${')'.repeat(1990)}`,
    `http://a/${'[('.repeat(995)}${')]'.repeat(995)}`,
    `http://${'a.'.repeat(1990)}`,
    'http://'.repeat(571),
    'http://a.b/ '.repeat(333),
    'www.'.repeat(1000),
    'a@'.repeat(2000),
    `${'a.'.repeat(1990)}@b.org`,
    '+1 '.repeat(1333),
    '1'.repeat(4000),
    '0 '.repeat(2000),
  ]

  // Quadratic parsing of these repetitions would exceed the test timeout.
  test.each(hostile.map((content) => [`${content.slice(0, 20)}…`, content]))('%s', (_, content) => {
    for (let round = 0; round < 3; round++) {
      const text = partsOf(content).map((part) => part.text)
      expect(text.join('')).toBe(content)
    }
  })
})
