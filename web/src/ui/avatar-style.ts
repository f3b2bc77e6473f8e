import { avatarColorOf } from '@hither/contract/runtime/users.ts'

/** Each colour has a contrast of at least 4.5:1 with white letters. None has a meaning elsewhere in the app. */
const colours = [
  '#6B4FBB',
  '#9C4668',
  '#0F7285',
  '#7A5C1E',
  '#3B6E47',
  '#8A4B2D',
  '#4A5A8C',
  '#A0417E',
  '#2F6F6B',
  '#75527A',
  '#5D6B1F',
  '#54606E',
] as const

/** Returns the same colour for the same user everywhere, also on the map. */
export function avatarColour(userId: string): string {
  return colourAt(avatarColorOf(userId))
}

export function colourAt(index: number): string {
  return colours[index] ?? colours[0]
}

/** Returns one or two letters: the initials of the first two words, or the start of a name of one word. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s._-]+/).filter(Boolean)
  const letters =
    words.length > 1 ? words.slice(0, 2).map((word) => Array.from(word)[0]) : Array.from(words[0] ?? '?').slice(0, 2)
  return letters.join('').toUpperCase()
}
