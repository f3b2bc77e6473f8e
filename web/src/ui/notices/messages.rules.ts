import type { Message } from './MessageBar.tsx'

const waitingMax = 4

/**
 * Adds a message; the first one is on the screen. It replaces its earlier copy, and an error replaces the error on the screen at
 * once.
 */
export function withMessage(before: readonly Message[], message: Message): readonly Message[] {
  const others = before.filter(({ text }) => text !== message.text)
  const isReplaced = message.severity === 'error' && before[0]?.severity === 'error'
  if (isReplaced) return [message, ...others.filter((other) => other !== before[0])]
  return [...others, message].slice(-waitingMax)
}
