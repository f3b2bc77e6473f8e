import { randomInt } from 'node:crypto'

// Without those that are taken for one another when read from a screen.
const letters = 'ABCDEFGHJKMNPQRSTVWXYZ23456789'
const groups = 5
const groupLength = 4

/** Five groups of four, such as `K7QX-M2RA-…`: 98 random bits, fit to be typed. */
export function newAdminCode(): string {
  const group = () => Array.from({ length: groupLength }, () => letters[randomInt(letters.length)]).join('')
  return Array.from({ length: groups }, group).join('-')
}

/** As typed, however it is spaced and whatever its case. */
export function readAdminCode(text: string): string {
  return text.toUpperCase().replace(/[^A-Z0-9]/g, '')
}
