import { pageMax } from '@hither/contract/runtime/pages.ts'

/** The query of a list with pages. */
export interface Page<Id extends string> {
  readonly limit?: number
  readonly before?: Id
}

/** The values of a statement with pages. A `before` that the caller may not see gives an empty page, like an unknown one. */
export function pageValues<Id extends string>({
  limit = pageMax,
  before,
}: Page<Id>): { limit: number; before: Id | null } {
  return { limit, before: before ?? null }
}
