import { randomInt } from 'node:crypto'

// Without letters and digits that look alike on a screen.
const letters = 'ABCDEFGHJKMNPQRSTVWXYZ23456789'
const groups = 5
const groupLength = 4

/** Creates a code of five groups of four, such as `K7QX-M2RA-…`: 98 random bits, short enough to type. */
export function newAdminCode(): string {
  const group = () => Array.from({ length: groupLength }, () => letters[randomInt(letters.length)]).join('')
  return Array.from({ length: groups }, group).join('-')
}

/** Normalizes a typed code, ignoring case and separators. */
export function readAdminCode(text: string): string {
  return text.toUpperCase().replace(/[^A-Z0-9]/g, '')
}
