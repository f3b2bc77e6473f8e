import type { FeedChange } from '@hither/contract/feeds.ts'
import type { QueryClient } from '@tanstack/react-query'

type Person = Extract<FeedChange, { table: 'users'; new: object }>['new']
type Fields = Record<string, unknown>

/**
 * Shows a new name or image of a person everywhere: most cached rows have a copy of those of their people, and no row of
 * their own feed says that the person has changed.
 */
export function updatePersonCopies(queryClient: QueryClient, person: Person): void {
  for (const { queryKey, state } of queryClient.getQueryCache().getAll()) {
    const updated = withPerson(state.data, person)
    if (updated !== state.data) queryClient.setQueryData(queryKey, updated)
  }
}

/** Returns the same value if it has no copy of the person, or only copies that are up to date. */
export function withPerson<T>(value: T, person: Person): T {
  if (Array.isArray(value)) {
    const items = value.map((item) => withPerson(item, person))
    return items.some((item, index) => item !== value[index]) ? (items as T) : value
  }
  if (!isPlain(value)) return value
  const fields = Object.entries(value)
  const updated: Fields = Object.fromEntries(fields.map(([name, field]) => [name, withPerson(field, person)]))
  for (const [name, field] of fields) if (field === person.id) Object.assign(updated, copyAt(value, name, person))
  return Object.entries(updated).some(([name, field]) => field !== value[name]) ? (updated as T) : value
}

/**
 * The fields of the person whose id is in the field `idName`. Their names begin like that of the id: `sender_id` and
 * `sender_username`, `from_user_id` and `from_username`.
 */
function copyAt(row: Fields, idName: string, { username, display_name, has_image }: Person): Fields {
  const prefix = idName.replace(/(?:user_)?id$/, '')
  const found: Fields = {
    [`${prefix}username`]: username,
    [`${prefix}display_name`]: display_name,
    [`${prefix}has_image`]: has_image,
  }
  // A ping has a picture of its own. A request has that of the other person only. The name of a guest is the username.
  if ('user_has_image' in row && prefix === '')
    Object.assign(found, { user_has_image: has_image, has_image: row['has_image'] })
  if (/^request(?:er|ed)_$/.test(prefix)) found['has_image'] = has_image
  if (prefix === '' && 'response_type' in row && 'state' in row) found['name'] = username
  return Object.fromEntries(Object.entries(found).filter(([name]) => name in row))
}

function isPlain(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
