import type { UserId } from '@hither/contract/ids.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import { formattingLocale } from '../i18n/language.ts'

/** What is needed to show a user. */
export interface Person {
  user_id: UserId
  username: string
  display_name: string | null
  has_image: boolean
}

interface Named {
  username: string
  display_name: string | null
}

/**
 * Returns the people whose display name or username contains `search`, with the name that others see, sorted by that
 * name. An empty `search` finds everyone.
 */
export function findPeople<P extends Named>(people: readonly P[], search: string): (P & { name: string })[] {
  const wanted = search.trim().toLocaleLowerCase(formattingLocale)
  return people
    .filter(({ username, display_name }) =>
      [username, display_name ?? ''].some((name) => name.toLocaleLowerCase(formattingLocale).includes(wanted)),
    )
    .map((person) => ({ ...person, name: shownName(person) }))
    .sort((a, b) => a.name.localeCompare(b.name, undefined, { sensitivity: 'base' }))
}
