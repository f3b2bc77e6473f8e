import type { SessionId, UserId } from '@hither/contract/ids.ts'
import type { PushPayload } from '@hither/contract/notifications.ts'
import type { NotificationKind } from '@hither/contract/runtime/notifications.ts'
import type { DomainEvent } from '../../events/domain-events.ts'
import type { Pool, Tx } from '../../platform/db/database.ts'
import type { Translate } from '../../platform/languages/translator.ts'

/** The name of a kind: one that a user can switch off, or one that is always sent. */
export type PushKind = NotificationKind | 'security' | 'test'

export const minuteMs = 60_000

/** Everything about one kind of notification. `S` names what it is about; it is stored until the push is sent. */
export interface Kind<S extends object = object> {
  /** How long a push may be sent. */
  readonly lifetimeMs: number
  /** Urgent pushes wake a sleeping device. */
  readonly urgency: 'normal' | 'high'
  /** The domain events that queue a push. They are called in the transaction of the event. */
  readonly events: { readonly [K in DomainEvent['kind']]?: (event: Extract<DomainEvent, { kind: K }>) => NewPush<S> }
  /** The delay of a push that another one joined while it was being sent. The default is that of messages. */
  rejoinDelayMs?(subject: S): number
  /** Replaces the title if details are hidden. */
  hiddenTitle(t: Translate): string
  /**
   * Reads the current content when a push is sent. Returns null if the receiver may not see its subject any more, or if there
   * is nothing to say.
   */
  find(deps: ContentDeps, push: QueuedPush<S>): Promise<CurrentContent | null>
}

export interface NewPush<S> {
  readonly subject: S
  /** Of several waiting pushes with the same tag, one is sent, and a later notification replaces an earlier one. */
  readonly tag: string
  /** The time of the event. For a message: pushes for earlier messages were sent already or are not needed. */
  readonly happenedAt: Date | string
  readonly to: Receivers
}

/** The signed-in devices that receive a push, and when it is sent. */
export type Receivers =
  /** With `isAtOnce`, a waiting push with the same tag is sent then too, and not at its own time. */
  | { readonly userIds: readonly UserId[]; readonly dueAt: Date; readonly isAtOnce?: boolean }
  | { readonly people: readonly { readonly userId: UserId; readonly dueAt: Date }[] }
  /** The devices of a user without that of one session, and with those that a change of the password has signed out. */
  | { readonly ownerId: UserId; readonly exceptSessionId: SessionId | null; readonly dueAt: Date }
  | { readonly deviceId: string; readonly dueAt: Date }

/** A push that is being sent. */
export interface QueuedPush<S> {
  readonly subject: S
  /** The receiver. */
  readonly user_id: UserId
  readonly happened_at: string
}

export interface ContentDeps {
  readonly pool: Pool
  readonly now: () => Date
  readonly t: Translate
}

/** The content of a notification without kind, tag and time. */
export type NotificationContent = Omit<PushPayload, 'kind' | 'tag' | 'timestamp'>

export interface CurrentContent {
  readonly content: NotificationContent
  /** When the push is outdated. */
  readonly endsAt?: string
  /** The time of the newest event, if the push may stand for several. */
  readonly at?: string
  /** In place of the title of the kind if details are hidden. */
  readonly hiddenTitle?: string
  /** Stores that the push was sent. */
  readonly whenSent?: (tx: Tx) => Promise<void>
}
