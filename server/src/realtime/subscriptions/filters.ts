import type { ColumnType } from '@hither/contract/feeds.ts'
import { compareValues, parseValue, readValue } from './column-values.ts'
import { compileLike } from './like.ts'

/** Returns whether a row of the table matches. */
export type RowTest = (row: Readonly<Record<string, unknown>>) => boolean

/** The `message` is shown to the developer of the client. */
export class FilterError extends Error {}

/** `patternsMax` counts `like` and `ilike`: only their cost grows with the length of the row's text. */
const filterLimits = { lengthMax: 8192, listMax: 100, conditionsMax: 10, patternsMax: 1 } as const

export interface CompiledFilter {
  readonly passes: RowTest
  /** Whether it contains a condition with `like` or `ilike`. */
  readonly hasPattern: boolean
}

/** The three values of SQL's logic: `null` is neither true nor false, and `not` does not change it. */
type Truth = boolean | null
type Test = (value: unknown) => Truth

/**
 * Compiles a filter of the official clients: `column=[not.]operator.value`. Several conditions are joined by commas,
 * and all of them must hold. Values are compared by the type of their column, and as in SQL, NULL matches only `is` and
 * `isdistinct`. A blank filter matches every row. Throws `FilterError` if the filter is invalid. `match` and `imatch`
 * are refused: a regular expression of a client could block the event loop of this node.
 */
export function compileFilter(filter: string, columns: Readonly<Record<string, ColumnType>>): CompiledFilter {
  const { lengthMax, conditionsMax, patternsMax } = filterLimits
  if (filter.length > lengthMax) throw new FilterError('The filter is too long')
  if (filter.trim() === '') return { passes: () => true, hasPattern: false }
  const parts = splitTopLevel(filter)
  if (parts.length > conditionsMax) throw new FilterError(`A filter takes at most ${conditionsMax} conditions`)
  const conditions = parts.map((condition) => compileCondition(condition.trim(), columns))
  const patterns = conditions.filter(({ isPattern }) => isPattern).length
  if (patterns > patternsMax) throw new FilterError('A filter takes at most one "like" or "ilike"')
  return { passes: (row) => conditions.every(({ test }) => test(row)), hasPattern: patterns > 0 }
}

/** The results of conditions by row and text of the condition. The rows of a change are never modified. */
const results = new WeakMap<object, Map<string, boolean>>()

/** Evaluates a condition once for each row, however many filters contain it. */
function evaluatedOnce(condition: string, test: RowTest): RowTest {
  return (row) => {
    const known = results.get(row) ?? new Map<string, boolean>()
    results.set(row, known)
    const result = known.get(condition) ?? test(row)
    known.set(condition, result)
    return result
  }
}

/**
 * Returns the values to which the filter restricts the column with `eq` or `in`. The filter must be one that compiles.
 */
export function boundValues(filter: string, column: string, type: ColumnType): unknown[] {
  if (filter.trim() === '') return []
  return splitTopLevel(filter).flatMap((part) => {
    const condition = part.trim()
    const equals = condition.indexOf('=')
    if (condition.slice(0, equals).trim() !== column) return []
    const { operator, operand, isNegated } = splitOperator(condition.slice(equals + 1).trim())
    if (isNegated) return []
    if (operator === 'eq') return [typed(type, unquote(operand))]
    return operator === 'in' ? listOf(type, operand) : []
  })
}

interface Condition {
  readonly test: RowTest
  readonly isPattern: boolean
}

function compileCondition(condition: string, columns: Readonly<Record<string, ColumnType>>): Condition {
  const equals = condition.indexOf('=')
  if (equals < 1) throw new FilterError(`"${condition}" is not of the form column=operator.value`)
  const column = condition.slice(0, equals).trim()
  const type = Object.hasOwn(columns, column) ? columns[column] : undefined
  if (!type || type === 'json') throw new FilterError(`There is no column "${column}" to filter by`)
  const { operator, operand, isNegated } = splitOperator(condition.slice(equals + 1).trim())
  const test = compileOperator(operator, operand, type)
  return {
    test: evaluatedOnce(condition, (row) => {
      const truth = test(readValue(type, row[column]))
      return isNegated ? truth === false : truth === true
    }),
    isPattern: operator === 'like' || operator === 'ilike',
  }
}

function splitOperator(text: string): { operator: string; operand: string; isNegated: boolean } {
  const isNegated = text.startsWith('not.')
  const rest = isNegated ? text.slice(4) : text
  const dot = rest.indexOf('.')
  if (dot < 1) throw new FilterError(`"${text}" has no operator`)
  return { operator: rest.slice(0, dot), operand: rest.slice(dot + 1), isNegated }
}

function compileOperator(operator: string, operand: string, type: ColumnType): Test {
  switch (operator) {
    case 'eq':
      return comparison(type, operand, (order) => order === 0)
    case 'neq':
      return comparison(type, operand, (order) => order !== 0)
    case 'lt':
      return comparison(type, operand, (order) => order < 0)
    case 'lte':
      return comparison(type, operand, (order) => order <= 0)
    case 'gt':
      return comparison(type, operand, (order) => order > 0)
    case 'gte':
      return comparison(type, operand, (order) => order >= 0)
    case 'in':
      return membership(type, operand)
    case 'like':
    case 'ilike':
      return pattern(type, operand, operator === 'ilike')
    case 'is':
      return identity(type, operand)
    case 'isdistinct':
      return distinctness(type, operand)
    case 'match':
    case 'imatch':
      throw new FilterError(`The operator "${operator}" is not available here: use like or ilike`)
    default:
      throw new FilterError(`There is no operator "${operator}"`)
  }
}

function comparison(type: ColumnType, operand: string, holds: (order: number) => boolean): Test {
  const wanted = typed(type, unquote(operand))
  return (value) => (value === null ? null : holds(compareValues(value, wanted)))
}

function membership(type: ColumnType, operand: string): Test {
  const wanted = new Set(listOf(type, operand))
  return (value) => (value === null ? null : wanted.has(value))
}

function listOf(type: ColumnType, operand: string): unknown[] {
  if (!operand.startsWith('(') || !operand.endsWith(')') || operand.length < 2)
    throw new FilterError('"in" takes a list: in.(a,b)')
  const items = splitTopLevel(operand.slice(1, -1))
  if (items.length > filterLimits.listMax) throw new FilterError(`"in" takes at most ${filterLimits.listMax} values`)
  return items.map((item) => typed(type, unquote(item.trim())))
}

function pattern(type: ColumnType, operand: string, ignoresCase: boolean): Test {
  if (type !== 'text') throw new FilterError('"like" and "ilike" need a column of text')
  const matches = compileLike(unquote(operand), ignoresCase)
  if (!matches) throw new FilterError('The pattern is too long, or ends in the middle of an escape')
  return (value) => (value === null ? null : matches(value as string))
}

function identity(type: ColumnType, operand: string): Test {
  const word = operand.toLowerCase()
  if (word === 'null') return (value) => value === null
  if (type === 'bool') {
    if (word === 'unknown') return (value) => value === null
    if (word === 'true' || word === 'false') return (value) => value === (word === 'true')
  }
  throw new FilterError(`"is.${operand}" does not fit the column`)
}

function distinctness(type: ColumnType, operand: string): Test {
  if (operand.toLowerCase() === 'null') return (value) => value !== null
  const wanted = typed(type, unquote(operand))
  return (value) => value === null || compareValues(value, wanted) !== 0
}

function typed(type: ColumnType, text: string): unknown {
  const value = parseValue(type, text)
  if (value === undefined) throw new FilterError(`"${text}" is not a value of type ${type}`)
  return value
}

/**
 * Splits at the commas outside of parentheses and quotes. A quote opens only at the beginning of a value, that is after
 * `.`, `(` or `,`, so that a quote inside plain text stays text.
 */
function splitTopLevel(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let isQuoted = false
  let start = 0
  for (let i = 0; i < text.length; i++) {
    const char = text[i]
    if (isQuoted) {
      if (char === '\\') i++
      else if (char === '"') isQuoted = false
    } else if (char === '"' && (i === 0 || '.(,'.includes(text[i - 1] as string))) isQuoted = true
    else if (char === '(') depth++
    else if (char === ')') depth = Math.max(0, depth - 1)
    else if (char === ',' && depth === 0) {
      parts.push(text.slice(start, i))
      start = i + 1
    }
  }
  if (isQuoted) throw new FilterError('A quote is not closed')
  return [...parts, text.slice(start)]
}

function unquote(text: string): string {
  if (!text.startsWith('"')) return text
  const match = /^"((?:[^"\\]|\\[\s\S])*)"$/.exec(text)
  if (!match) throw new FilterError(`${text} is not a well-formed quoted value`)
  return (match[1] as string).replace(/\\([\s\S])/g, '$1')
}
