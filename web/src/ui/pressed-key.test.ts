import { expect, test } from 'vitest'
import { pressedKey } from './pressed-key.ts'

test.each([
  ['a key', { key: 'Enter', keyCode: 13, isComposing: false }, 'Enter'],
  ['a key during a composition', { key: 'Enter', keyCode: 13, isComposing: true }, null],
  ['the Enter with which Safari ends a composition', { key: 'Enter', keyCode: 229, isComposing: false }, null],
])('%s', (_, event, key) => {
  expect(pressedKey(event as KeyboardEvent)).toBe(key)
  expect(pressedKey({ nativeEvent: event } as never)).toBe(key)
})
