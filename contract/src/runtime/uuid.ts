/** What an id looks like, in either case, as part of a longer pattern. It has no groups. */
export const uuidPattern = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'

const uuid = new RegExp(`^${uuidPattern}$`)

/** Whether the text is an id as the API and the database write one. PostgreSQL itself accepts more forms. */
export function isUuid(text: string): boolean {
  return uuid.test(text)
}
