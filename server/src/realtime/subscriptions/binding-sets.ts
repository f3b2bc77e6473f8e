import type { FeedName } from '@hither/contract/feeds.ts'
import type { ConversationId } from '@hither/contract/ids.ts'
import type { Payload, Vsn } from '../protocol/protocol.ts'
import { type Binding, compileBindings } from './bindings.ts'

const cacheLimits = { setsMax: 1000, textMax: 4096 } as const

/**
 * The compiled bindings of a channel. Channels with the same parameters and version share one set, since most clients of a server are the
 * same app: compiled filters and repeated parameters would be most of the memory of an idle connection.
 */
export interface BindingSet {
  readonly vsn: Vsn
  readonly all: readonly Binding[]
  /** The parameters as the client sent them, each with the id of its binding. */
  readonly echo: readonly Payload[]
  /** The conversations named in filters. Only their members may join. */
  readonly conversations: readonly ConversationId[]
  /** The tables that any binding names. */
  readonly tables: ReadonlySet<FeedName>
}

/** By the version and the JSON text of the parameters; the set used last is at the end. */
const sets = new Map<string, BindingSet>()

/** Returns the compiled bindings of the list `postgres_changes` of a join. Throws `JoinRefusal`. */
export function bindingSetOf(vsn: Vsn, asked: readonly unknown[]): BindingSet {
  const text = `${vsn} ${JSON.stringify(asked)}`
  const known = sets.get(text)
  sets.delete(text)
  const set = known ?? createSet(vsn, asked)
  if (text.length > cacheLimits.textMax) return set
  sets.set(text, set)
  const [oldest] = sets.size > cacheLimits.setsMax ? sets.keys() : []
  if (oldest !== undefined) sets.delete(oldest)
  return set
}

function createSet(vsn: Vsn, asked: readonly unknown[]): BindingSet {
  const { bindings, echo, conversations } = compileBindings(asked)
  return {
    vsn,
    all: bindings,
    echo,
    conversations,
    tables: new Set(bindings.flatMap(({ tables }) => [...tables])),
  }
}
