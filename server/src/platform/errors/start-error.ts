/**
 * A start that failed for a reason that an operator can remove. The message is a complete sentence that says what to do, and
 * programs print it without a stack.
 */
export class StartError extends Error {
  override name = 'StartError'
}
