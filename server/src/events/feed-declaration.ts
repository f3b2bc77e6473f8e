import type { FeedName, Feeds } from '@hither/contract/feeds.ts'
import type { UserId } from '@hither/contract/ids.ts'

declare const feed: unique symbol

/**
 * The users who may see a row of this feed. Only the audience rule of the feed's declaration creates one, so that no
 * other list of users can be announced to.
 */
export type Audience<F extends FeedName> = readonly UserId[] & { readonly [feed]: F }

/** Called by audience rules only. */
export function audienceOf<F extends FeedName>(_feed: F, userIds: readonly UserId[]): Audience<F> {
  return userIds as Audience<F>
}

/** Returns those users of an audience who are in `userIds`. An audience can become smaller, but not larger. */
export function limitAudience<F extends FeedName>(audience: Audience<F>, userIds: readonly UserId[]): Audience<F> {
  return audience.filter((userId) => userIds.includes(userId)) as readonly UserId[] as Audience<F>
}

/**
 * The rows that a transaction locks before it reads what it announces. Changes that need the same lock reach clients in
 * the order in which they were made, because the outbox row is written last, while the lock is still held.
 *
 * - `users`: the users whom the row names (`lockUsers`, or an update of the row of `users` itself). `is_online` is not
 *   stored in the database, but also read under this lock.
 * - `ping owner`: the owner of the ping, exclusively or shared (`lockUser`, `lockPingOwnersShared`).
 * - `conversation`: the row of `chats` (`lockChat`).
 */
export type OrderingGroup = 'users' | 'ping owner' | 'conversation'

interface Erasure {
  /** What the deletion of an account does to the rows that name its user. */
  readonly withAccount: 'deletes' | 'anonymizes'
  /**
   * What a restore does to a row that was deleted after the backup was made.
   *
   * - `erased by tombstone`: a trigger of the table records each deletion, and `replayErasures` repeats it.
   * - `erased with parent`: deletions are recorded for the parent or the user only. A row that was deleted alone is
   *   restored.
   * - `restored`: like every other older state.
   * - `not in backups`: no row is restored.
   */
  readonly inRestore: 'erased by tombstone' | 'erased with parent' | 'restored' | 'not in backups'
}

export interface OutdatedSettings {
  /** How long after the end of a ping its exact place may be known. */
  readonly placeKeepMs: number
}

/**
 * What a client that resumes may not receive although a row still exists for its user. Every change is replayed with the newest
 * contents of its row.
 */
interface Outdated<F extends FeedName> {
  /** Whether this user may no longer know what a row showed, because of the time. */
  readonly at: ((row: Feeds[F], userId: UserId, now: Date, settings: OutdatedSettings) => boolean) | null
  /**
   * Returns a row as it may be shown after the row of this feed with the id `changedId` was changed to `now`, or deleted
   * (`null`): the same row, unless it repeats contents of the other. `null` if no row repeats contents of another.
   */
  readonly elsewhere: ((row: Feeds[F], changedId: string, now: Feeds[F] | null) => Feeds[F]) | null
}

/** What the server must know about a change feed. Without an entry in `feeds/feeds.ts`, a feed does not compile. */
export interface FeedDeclaration<F extends FeedName> {
  /** The database table that stores the rows. It may store rows of several feeds. */
  readonly table: string
  /**
   * The row through which a row is visible, and the column with its id; `null` if it does not depend on another row. A
   * client that loses access to the parent receives no earlier change of the row. A filter on that column is allowed to
   * those who see the parent.
   */
  readonly parent: Parent<F> | null
  readonly orderedBy: OrderingGroup
  /** Returns who may see a row, from the data that decides it. */
  readonly audience: (...decisive: never[]) => Audience<F>
  readonly erasure: Erasure
  /** `null` if a user who sees a row may receive it in every replay. */
  readonly outdated: Outdated<F> | null
}

export type FeedDeclarations = { readonly [F in FeedName]: FeedDeclaration<F> }

/** Any feed whose rows have an `id`. */
interface Ancestor<F extends FeedName> {
  readonly feed: Exclude<{ [P in FeedName]: 'id' extends keyof Feeds[P] ? P : never }[FeedName], F>
  readonly column: keyof Feeds[F] & string
}

/** `within` is the row through which the parent itself is visible, if it depends on one. */
interface Parent<F extends FeedName> extends Ancestor<F> {
  readonly within?: Ancestor<F>
}

interface AnyAncestor {
  readonly feed: FeedName
  readonly column: string
}

/** Returns the rows through which a row of this feed is visible, with the columns that have their ids. */
export function ancestorsOf({
  parent,
}: {
  readonly parent: (AnyAncestor & { readonly within?: AnyAncestor }) | null
}): readonly AnyAncestor[] {
  if (!parent) return []
  return parent.within ? [parent, parent.within] : [parent]
}
