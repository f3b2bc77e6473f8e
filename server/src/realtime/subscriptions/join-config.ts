import { isObject, type Payload, type Vsn } from '../protocol/protocol.ts'
import { type BindingSet, bindingSetOf } from './binding-sets.ts'
import { JoinRefusal } from './bindings.ts'

/** The parsed configuration of a join. */
export interface JoinConfig {
  readonly bindings: BindingSet
  readonly wantsAck: boolean
  /** Whether the channel also receives its own broadcasts. */
  readonly wantsSelf: boolean
  readonly wantsPresence: boolean
  /** The position up to which the client has handled everything; `null` if it names none, and has to refetch. */
  readonly resumeAfter: string | null
}

/**
 * Reads the `config` of a join. Throws `JoinRefusal`. Malformed options other than `postgres_changes` count as absent.
 * Presence is on unless the client turns it off: older official clients always listen to it, and send no `enabled`.
 */
export function readJoinConfig(vsn: Vsn, payload: Payload): JoinConfig {
  const config = isObject(payload.config) ? payload.config : {}
  const broadcast = isObject(config.broadcast) ? config.broadcast : {}
  const presence = isObject(config.presence) ? config.presence : {}
  const asked = config.postgres_changes ?? []
  if (!Array.isArray(asked)) throw new JoinRefusal('postgres_changes must be a list')
  return {
    bindings: bindingSetOf(vsn, asked),
    wantsAck: readBoolean(broadcast.ack) ?? false,
    wantsSelf: readBoolean(broadcast.self) ?? false,
    wantsPresence: readBoolean(presence.enabled) ?? true,
    resumeAfter: isObject(payload.resume) && typeof payload.resume.after === 'string' ? payload.resume.after : null,
  }
}

/** Some clients send booleans as texts, that of Python with a capital letter. */
function readBoolean(value: unknown): boolean | undefined {
  const word = typeof value === 'string' ? value.toLowerCase() : value
  if (word === true || word === 'true') return true
  return word === false || word === 'false' ? false : undefined
}
