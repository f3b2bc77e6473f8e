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
  /**
   * The `commit_timestamp` of the last change that the client has handled, `null` if it has handled none, or
   * `undefined` if it does not track its position, or has handled none since it refetched everything. The join sends it as
   * `resume: {after}`.
   */
  readonly resumeAfter: string | null | undefined
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
    resumeAfter: cursorOf(payload.resume),
  }
}

function cursorOf(resume: unknown): string | null | undefined {
  if (!isObject(resume)) return undefined
  return typeof resume.after === 'string' || resume.after === null ? resume.after : undefined
}

/** Some clients send booleans as texts, that of Python with a capital letter. */
function readBoolean(value: unknown): boolean | undefined {
  const word = typeof value === 'string' ? value.toLowerCase() : value
  if (word === true || word === 'true') return true
  return word === false || word === 'false' ? false : undefined
}
