import { expect, test } from 'vitest'
import { pingChatName } from './ping-chat-name.ts'

test('the chat of a ping has its name', () => {
  expect(pingChatName('Coffee at Nero')).toBe('Coffee at Nero Chat')
})

test('a name in another direction is stored without isolates', () => {
  expect(pingChatName('مقهى')).toBe('مقهى Chat')
})
