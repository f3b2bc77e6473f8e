import { createHash } from 'node:crypto'
import { type FeedName, feedColumns, feedNames } from '@hither/contract/feeds.ts'
import type { ConversationId } from '@hither/contract/ids.ts'
import { ancestorsOf } from '../../events/feed-declaration.ts'
import { feeds } from '../../feeds/feeds.ts'
import { isObject, type Payload } from '../protocol/protocol.ts'
import { type Filter, FilterError, readFilter } from './filters.ts'

const bindingsMax = 100
const conversationsMax = 100

const events = ['INSERT', 'UPDATE', 'DELETE', '*'] as const
type BindingEvent = (typeof events)[number]

/** One listener of a channel: the tables, events and rows that it receives. */
export interface Binding {
  readonly id: string
  readonly event: BindingEvent
  readonly tables: ReadonlySet<FeedName>
  /** `null` if it selects all rows of its tables. */
  readonly filter: Filter | null
  /** The requested columns in addition to the key; `null` for all. */
  readonly select: readonly string[] | null
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
    conversations: conversationsOf(bindings),
  }
}

function conversationsOf(bindings: readonly Binding[]): ConversationId[] {
  const conversations = [...new Set(bindings.flatMap(conversationsNamedBy))]
  if (conversations.length > conversationsMax)
    throw new JoinRefusal(`The filters of a channel name at most ${conversationsMax} conversations`)
  return conversations
}

function conversationsNamedBy({ tables, filter }: Binding): ConversationId[] {
  const names = filter !== null && [...tables].some((feed) => chatColumnOf(feed) === filter.column)
  return names ? ([...filter.ids] as ConversationId[]) : []
}

/** The column that names the chat through which rows of the feed are visible. */
function chatColumnOf(feed: FeedName): string | undefined {
  return ancestorsOf(feeds[feed]).find((ancestor) => ancestor.feed === 'chats')?.column
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
  const { event, schema, table, select } = params
  if (schema !== null && schema !== 'public' && schema !== '*') throw new JoinRefusal(`There is no schema "${schema}"`)
  if (!isAny(table) && !isFeedName(table)) throw new JoinRefusal(`There is no table "${table}"`)
  const filter = filterOf(params.filter ?? '')
  // A filter on all tables applies to those that have its column; no rows of other tables match.
  const tables = (isAny(table) ? feedNames : [table]).filter(
    (feed) => filter === null || Object.hasOwn(feedColumns[feed].columns, filter.column),
  )
  if (tables.length === 0) throw new JoinRefusal(`Bad filter: "${table}" has no column "${filter?.column}"`)
  if (select) assertSelectable(select, schema, table)
  return { id: idOf(params), event, tables: new Set(tables), filter, select }
}

function filterOf(text: string): Filter | null {
  try {
    return readFilter(text)
  } catch (error) {
    throw error instanceof FilterError ? new JoinRefusal(`Bad filter: ${error.message}`) : error
  }
}

function assertSelectable(select: readonly string[], schema: string | null, table: string | null): void {
  if (isAny(schema) || isAny(table)) throw new JoinRefusal('"select" needs a schema and a table')
  const { columns } = feedColumns[table as FeedName]
  const unknown = select.find((column) => !Object.hasOwn(columns, column))
  if (unknown !== undefined) throw new JoinRefusal(`There is no column "${unknown}" to select`)
}

function isAny(name: string | null): name is '*' | null {
  return name === null || name === '*'
}

function isFeedName(name: string): name is FeedName {
  return Object.hasOwn(feedColumns, name)
}
