import { createHash } from 'node:crypto'
import { type ColumnType, type FeedName, feedColumns, feedNames } from '@hither/contract/feeds.ts'
import type { ConversationId } from '@hither/contract/ids.ts'
import { feeds } from '../../feeds/feeds.ts'
import { ancestorsOf } from '../../platform/events/feed-declaration.ts'
import { isObject, type Payload } from '../protocol/protocol.ts'
import { boundValues, type CompiledFilter, compileFilter, FilterError, type RowTest } from './filters.ts'

const bindingsMax = 100
const conversationsMax = 100

const events = ['INSERT', 'UPDATE', 'DELETE', '*'] as const
type BindingEvent = (typeof events)[number]

/** One listener of a channel: the tables, events and rows that it receives. */
export interface Binding {
  readonly id: string
  readonly event: BindingEvent
  /** The tables of the binding, each with the compiled filter for its rows. */
  readonly tests: ReadonlyMap<FeedName, RowTest>
  /** The requested columns in addition to the key; `null` for all. */
  readonly select: readonly string[] | null
  /** Whether its filter uses `like` or `ilike`. */
  readonly hasPattern: boolean
}

/** A join that can never succeed as it is. The message is the reason shown to the client. */
export class JoinRefusal extends Error {}

/** The listeners that a join requests, compiled. */
interface CompiledBindings {
  readonly bindings: readonly Binding[]
  readonly echo: readonly Payload[]
  readonly conversations: readonly ConversationId[]
}

/** Compiles the list `postgres_changes` of a join. Throws `JoinRefusal`. */
export function compileBindings(asked: readonly unknown[]): CompiledBindings {
  if (asked.length > bindingsMax) throw new JoinRefusal(`A channel takes at most ${bindingsMax} bindings`)
  const params = asked.map(readParams)
  // Compiling comes first, because it refuses invalid parameters.
  const bindings = params.map(compileBinding)
  return {
    bindings,
    // The reply repeats the parameters verbatim: the client compares event, schema, table and filter with what it sent,
    // and gives the channel up if one differs.
    echo: params.map((binding) => ({ ...binding.given, id: idOf(binding) })),
    conversations: conversationsOf(params),
  }
}

function conversationsOf(params: readonly Params[]): ConversationId[] {
  const conversations = [...new Set(params.flatMap(conversationsNamedBy))]
  if (conversations.length > conversationsMax)
    throw new JoinRefusal(`The filters of a channel name at most ${conversationsMax} conversations`)
  return conversations
}

function conversationsNamedBy({ table, filter }: Params): ConversationId[] {
  return feedNames
    .filter((feed) => isAny(table) || feed === table)
    .flatMap((feed) => {
      const chat = ancestorsOf(feeds[feed]).find((ancestor) => ancestor.feed === 'chats')
      return chat ? boundValues(filter ?? '', chat.column, 'uuid') : []
    }) as ConversationId[]
}

interface Params {
  readonly given: Payload
  readonly event: BindingEvent
  readonly schema: string | null
  readonly table: string | null
  readonly filter: string | null
  readonly select: readonly string[] | null
}

function readParams(given: unknown): Params {
  if (!isObject(given)) throw new JoinRefusal('A binding of postgres_changes must be an object')
  const event = textOf(given, 'event')?.toUpperCase() as BindingEvent | undefined
  if (!event || !events.includes(event)) throw new JoinRefusal('The event must be INSERT, UPDATE, DELETE or *')
  return {
    given,
    event,
    schema: textOf(given, 'schema'),
    table: textOf(given, 'table'),
    filter: textOf(given, 'filter'),
    select: columnsOf(given.select),
  }
}

function textOf(given: Payload, name: string): string | null {
  const value = given[name] ?? null
  if (value !== null && typeof value !== 'string') throw new JoinRefusal(`"${name}" must be a text`)
  return value
}

function columnsOf(select: unknown): readonly string[] | null {
  if (select === undefined || select === null) return null
  if (!Array.isArray(select) || !select.every((column) => typeof column === 'string'))
    throw new JoinRefusal('"select" must be a list of columns')
  return [...new Set<string>(select)].sort()
}

/** Derived from the parameters alone, so that all subscribers with the same parameters share one encoded frame. */
function idOf({ event, schema, table, filter, select }: Params): string {
  return createHash('sha256')
    .update(JSON.stringify([event, schema, table, filter, select]))
    .digest('base64url')
    .slice(0, 16)
}

function compileBinding(params: Params): Binding {
  const { event, schema, table, filter, select } = params
  if (schema !== null && schema !== 'public' && schema !== '*') throw new JoinRefusal(`There is no schema "${schema}"`)
  const filters = isAny(table) ? compileForAll(filter ?? '') : compileForOne(table, filter ?? '')
  if (select) assertSelectable(select, schema, table)
  const tests = new Map([...filters].map(([feed, { passes }]) => [feed, passes]))
  const hasPattern = [...filters.values()].some((compiled) => compiled.hasPattern)
  return { id: idOf(params), event, tests, select, hasPattern }
}

function compileForOne(table: string, filter: string): Map<FeedName, CompiledFilter> {
  if (!isFeedName(table)) throw new JoinRefusal(`There is no table "${table}"`)
  try {
    return new Map([[table, compileFilter(filter, feedColumns[table].columns)]])
  } catch (error) {
    throw refusalOf(error)
  }
}

/** A filter on all tables applies to those that have its columns; no rows of other tables match. */
function compileForAll(filter: string): Map<FeedName, CompiledFilter> {
  const tests = new Map<FeedName, CompiledFilter>()
  let refusal: unknown
  for (const table of feedNames) {
    try {
      tests.set(table, compileFilter(filter, feedColumns[table].columns))
    } catch (error) {
      refusal ??= refusalOf(error)
    }
  }
  if (tests.size === 0) throw refusal
  return tests
}

function refusalOf(error: unknown): unknown {
  return error instanceof FilterError ? new JoinRefusal(`Bad filter: ${error.message}`) : error
}

function assertSelectable(select: readonly string[], schema: string | null, table: string | null): void {
  if (isAny(schema) || isAny(table)) throw new JoinRefusal('"select" needs a schema and a table')
  const columns: Record<string, ColumnType> = feedColumns[table as FeedName].columns
  const unknown = select.find((column) => !Object.hasOwn(columns, column))
  if (unknown !== undefined) throw new JoinRefusal(`There is no column "${unknown}" to select`)
}

function isAny(name: string | null): name is '*' | null {
  return name === null || name === '*'
}

function isFeedName(name: string): name is FeedName {
  return Object.hasOwn(feedColumns, name)
}
