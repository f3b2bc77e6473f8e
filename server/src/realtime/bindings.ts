import { createHash } from 'node:crypto'
import { type ColumnType, type FeedName, feedColumns, feedNames } from '@hither/contract/feeds.ts'
import { type ConversationId } from '@hither/contract/ids.ts'
import { boundValues, type CompiledFilter, compileFilter, FilterError, type RowTest } from './filters.ts'
import { isObject, type Payload } from './protocol.ts'

export const bindingsMax = 100
export const conversationsMax = 100

const events = ['INSERT', 'UPDATE', 'DELETE', '*'] as const
export type BindingEvent = (typeof events)[number]

/** One listener of a channel: which changes of which tables it wants. */
export interface Binding {
  readonly id: string
  readonly event: BindingEvent
  /** The tables it listens to, each with the test that a row has to pass. */
  readonly tests: ReadonlyMap<FeedName, RowTest>
  /** The columns it wants besides the key; `null` for all. */
  readonly select: readonly string[] | null
  /** Whether its filter uses `like` or `ilike`. */
  readonly hasPattern: boolean
}

/** What a join asks for, in our form, and as the reply must echo it. */
export interface JoinConfig {
  readonly bindings: readonly Binding[]
  readonly echo: readonly Payload[]
  /** Those that a filter names, so that only members may join with it. */
  readonly conversations: readonly ConversationId[]
  readonly wantsAck: boolean
  /** Whether its own broadcasts come back to it. */
  readonly wantsSelf: boolean
  readonly wantsPresence: boolean
  /**
   * The `commit_timestamp` of the last change that the app has handled, `null` where it has handled none; `undefined` where
   * it does not keep track. In the join as `resume: {after}`.
   */
  readonly resumeAfter: string | null | undefined
}

/** A join that can never succeed as it is; the message is the reason shown to the client. */
export class JoinRefusal extends Error {}

/** Reads the `config` of a join. Throws `JoinRefusal`; what is malformed outside of `postgres_changes` counts as absent. */
export function readJoinConfig(payload: Payload): JoinConfig {
  const config = isObject(payload.config) ? payload.config : {}
  const asked = config.postgres_changes ?? []
  if (!Array.isArray(asked)) throw new JoinRefusal('postgres_changes must be a list')
  if (asked.length > bindingsMax) throw new JoinRefusal(`A channel takes at most ${bindingsMax} bindings`)
  const params = asked.map(readParams)
  // First, for it refuses what is not understood.
  const bindings = params.map(compileBinding)
  return {
    bindings,
    // Verbatim: the client compares event, schema, table and filter with what it sent, and gives the channel up for
    // good where one differs.
    echo: params.map((binding) => ({ ...binding.given, id: idOf(binding) })),
    conversations: conversationsOf(params),
    wantsAck: isObject(config.broadcast) && isTrue(config.broadcast.ack),
    wantsSelf: isObject(config.broadcast) && isTrue(config.broadcast.self),
    wantsPresence: isObject(config.presence) && isTrue(config.presence.enabled),
    resumeAfter: cursorOf(payload.resume),
  }
}

function cursorOf(resume: unknown): string | null | undefined {
  if (!isObject(resume)) return undefined
  return typeof resume.after === 'string' ? resume.after : null
}

const feedsOfConversations: readonly FeedName[] = ['messages', 'message_read_receipts']

function conversationsOf(params: readonly Params[]): ConversationId[] {
  const named = params
    .filter(({ table }) => isAny(table) || feedsOfConversations.includes(table as FeedName))
    .flatMap(({ filter }) => boundValues(filter ?? '', 'conversation_id', 'uuid') as ConversationId[])
  const conversations = [...new Set(named)]
  if (conversations.length > conversationsMax)
    throw new JoinRefusal(`The filters of a channel name at most ${conversationsMax} conversations`)
  return conversations
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

/** A function of the parameters alone, so that everyone who asks for the same can share one encoded frame. */
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

/** A filter on every table holds for those it fits; the others, lacking the column, can show nothing. */
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

/** Some clients write booleans as text. */
function isTrue(value: unknown): boolean {
  return value === true || value === 'true'
}
