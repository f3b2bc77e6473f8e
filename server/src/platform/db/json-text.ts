/**
 * A response that the database wrote as JSON. It is sent as it is: parsing and serializing a list again costs the server as
 * much time as everything else of the call. The serializer does not see it, so the statement must select exactly the fields
 * of the contract, which a test of each such operation shows.
 */
export class JsonText<Value> {
  /** Used by the compiler only. */
  declare readonly value: Value
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** The result of a statement that returns one row with JSON. */
export function jsonOf<Value>([row]: readonly { json: string }[]): JsonText<Value> {
  if (!row) throw new Error('The statement has no row')
  return new JsonText(row.json)
}
