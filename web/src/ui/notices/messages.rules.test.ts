import { expect, test } from 'vitest'
import type { Message } from './MessageBar.tsx'
import { withMessage } from './messages.rules.ts'

let key = 0
const error = (text: string): Message => ({ key: ++key, severity: 'error', text })
const notice = (text: string): Message => ({ key: ++key, severity: 'success', text })
const shown = (...messages: Message[]) => messages.reduce(withMessage, [] as readonly Message[]).map(({ text }) => text)

test('a new error replaces the one on the screen at once, and nothing else', () => {
  expect(shown(error('one'), error('two'))).toEqual(['two'])
  expect(shown(error('one'), notice('done'), error('two'))).toEqual(['two', 'done'])
  expect(shown(notice('done'), error('one'), error('two'))).toEqual(['done', 'one', 'two'])
  expect(shown(error('one'), notice('done'))).toEqual(['one', 'done'])
})

test('a message that is shown again replaces its earlier copy, and at most four wait', () => {
  expect(shown(error('one'), error('one'))).toEqual(['one'])
  expect(shown(notice('1'), notice('2'), notice('1'))).toEqual(['2', '1'])
  expect(shown(...['1', '2', '3', '4', '5'].map(notice))).toEqual(['2', '3', '4', '5'])
})
