import { isLanguageTag, type LanguageTag } from '@hither/contract/runtime/locales.ts'
import { isPersonName } from '@hither/contract/runtime/texts.ts'
import { userLimits } from '@hither/contract/runtime/users.ts'
import { fieldError, InvalidInput } from '../platform/errors/refusal.ts'

/** Returns the display name without spaces around it. Refuses one that is too long or has characters that are not allowed. */
export function readDisplayName(text: string): string {
  const name = text.trim()
  // Lengths are in code points, as in the database.
  if ([...name].length > userLimits.displayNameMax || !isPersonName(name))
    throw new InvalidInput(fieldError('body', 'display_name')('display_name_invalid'))
  return name
}

/** Returns the tag of a listed language. Refuses any other text. */
export function readLanguage(text: string): LanguageTag {
  if (!isLanguageTag(text)) throw new InvalidInput(fieldError('body', 'locale')('locale_unknown', 'locale_unknown'))
  return text
}

/** Derives a username from the name of a person in any script. Returns a fixed one if the name has too few allowed characters. */
export function usernameFrom(name: string): string {
  return usernameIn(name) ?? 'friend'
}

/** Like `usernameFrom`; `null` if the name has too few allowed characters. */
export function usernameIn(name: string): string | null {
  const base = name
    // Separates accents from their letters; the accents are then removed.
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '.')
    .slice(0, userLimits.usernameMax)
    .replace(/^\.+|\.+$/g, '')
  return base.length >= userLimits.usernameMin ? base : null
}

/** Returns the name itself, then the name with small numbers, then with a random number. */
export function usernameCandidates(base: string, random: number): string[] {
  const numbers = [...Array.from({ length: 8 }, (_, index) => String(index + 2)), String(Math.floor(random * 1e9))]
  return [base, ...numbers.map((number) => base.slice(0, userLimits.usernameMax - number.length) + number)]
}
