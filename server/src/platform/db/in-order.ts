/**
 * Waits for statements of one transaction that are sent in one round trip. PostgreSQL runs them in the order of the list, so each sees
 * what those before it wrote, and reads under the locks that they took. The list must be made without an `await`.
 */
export function inOrder<const Statements extends readonly unknown[]>(
  statements: Statements,
): Promise<{ -readonly [Key in keyof Statements]: Awaited<Statements[Key]> }> {
  return Promise.all(statements)
}
