import { isUuid } from '@hither/contract/runtime/uuid.ts'
/** A filter of the official clients: the rows in whose `column` is one of these ids. */
export interface Filter {
  readonly column: string
  /** In lower case, as in the rows. */
  readonly ids: ReadonlySet<string>
}

/** The `message` is shown to the developer of the client. */
export class FilterError extends Error {}

const idsMax = 100

/** Ids alone, because a filter is tested on every change that its subscriber may see. */
const filterColumns: readonly string[] = [
  'id',
  'user_id',
  'conversation_id',
  'ping_id',
  'from_user_id',
  'to_user_id',
  'requester_id',
  'requested_id',
]

/**
 * Reads `column=eq.id` or `column=in.(id,…)`. Returns `null` for a blank filter, which every row passes. Throws
 * `FilterError` for everything else.
 */
export function readFilter(text: string): Filter | null {
  if (text.trim() === '') return null
  const [, column = '', operator, operand = ''] = /^\s*([^=]*)=([^.]*)\.(.*?)\s*$/s.exec(text) ?? []
  if (operator === undefined) throw new FilterError('A filter has the form column=eq.id or column=in.(id,…)')
  if (!filterColumns.includes(column))
    throw new FilterError(`There is no filter by "${column}", only by ${filterColumns.join(', ')}`)
  const ids = idsOf(operator, operand)
  if (ids.length > idsMax) throw new FilterError(`"in" takes at most ${idsMax} ids`)
  const wrong = ids.find((id) => !isUuid(id))
  if (wrong !== undefined) throw new FilterError(`"${wrong}" is not an id`)
  return { column, ids: new Set(ids.map((id) => id.toLowerCase())) }
}

function idsOf(operator: string, operand: string): string[] {
  if (operator === 'eq') return [operand]
  if (operator !== 'in') throw new FilterError(`There is no operator "${operator}", only "eq" and "in"`)
  if (!operand.startsWith('(') || !operand.endsWith(')')) throw new FilterError('"in" takes a list: in.(id,…)')
  return operand
    .slice(1, -1)
    .split(',')
    .map((id) => id.trim())
}

export function passes(filter: Filter | null, row: Readonly<Record<string, unknown>>): boolean {
  return filter === null || filter.ids.has(row[filter.column] as string)
}
