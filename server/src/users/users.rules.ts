import { userLimits } from '@hither/contract/users.ts'

/** A username out of the name of a person, which may be in any script; one for all whose name has nothing that fits. */
export function usernameFrom(name: string): string {
  const base = name
    // Letters part from their accents, which then do not fit.
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '.')
    .slice(0, userLimits.usernameMax)
    .replace(/^\.+|\.+$/g, '')
  return base.length >= userLimits.usernameMin ? base : 'friend'
}

/** The name itself, then with numbers, then with a number nobody is likely to have. */
export function usernameCandidates(base: string, random: number): string[] {
  const numbers = [...Array.from({ length: 8 }, (_, index) => String(index + 2)), String(Math.floor(random * 1e9))]
  return [base, ...numbers.map((number) => base.slice(0, userLimits.usernameMax - number.length) + number)]
}
