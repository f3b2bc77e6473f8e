import type { FeedName } from '@hither/contract/feeds.ts'
import type { MessageId, UserId } from '@hither/contract/ids.ts'
import { eraseAccount } from '../accounts/account-erasure.service.ts'
import type { feeds } from '../feeds/feeds.ts'
import { eraseMessage } from '../messages/account-erasure.service.ts'
import type { Tx } from '../platform/db/database.ts'
import type { Announce } from '../platform/events/changes.ts'
import type { Tombstone } from './tombstones.queries.ts'
import * as queries from './tombstones.queries.ts'

/** During a restore no client is connected, so no changes are published. */
const silence: Announce = {
  insert() {},
  update() {},
  delete() {},
  unreadCountsChanged() {},
  sessionsEnded() {},
  friendsChanged() {},
  membershipEnded() {},
  pingDue() {},
  deliveriesWaiting() {},
  pushesWaiting() {},
  publish() {},
}

const nobodyOnline = { isOnline: async () => false, onlineAmong: async () => new Set<UserId>() }

/** The tables whose deletions are recorded as tombstones, in addition to those of feeds. */
type OtherTable =
  | 'admins'
  | 'chats'
  | 'circle_members'
  | 'identities'
  | 'images'
  | 'invitations'
  | 'passkeys'
  | 'ping_recipients'
  | 'recovery_codes'

type FeedTable = {
  [F in FeedName]: (typeof feeds)[F]['erasure']['inRestore'] extends 'erased by tombstone'
    ? (typeof feeds)[F]['table']
    : never
}[FeedName]

/** Erases the rows of one table that these tombstones name. Returns how many were erased. */
type Replay = (tx: Tx, tombstones: readonly Tombstone[], now: Date) => Promise<number>

/** In the order in which they run: the erasure of an account depends on all others. */
export const replays: { readonly [T in FeedTable | OtherTable]: Replay } = {
  messages: async (tx, tombstones, now) => {
    const ids = await queries.listRestoredMessages(tx, hashesOf(tombstones))
    for (const id of ids) await eraseMessage(tx, id as MessageId, now)
    return ids.length
  },
  chat_members: queries.deleteMemberships,
  admins: queries.deleteAdmins,
  ping_recipients: async (tx, tombstones) => {
    const erased = await queries.deleteRows(tx, 'ping_recipients', hashesOf(tombstones))
    return erased + (await queries.deleteUninvitedResponses(tx))
  },
  circle_members: queries.deleteCircleMembers,
  circles: replayById('circles'),
  friendships: replayById('friendships'),
  images: replayById('images'),
  ping_guests: queries.deleteGuests,
  location_pins: replayById('location_pins'),
  chats: replayById('chats'),
  invitations: replayById('invitations'),
  passkeys: replayById('passkeys'),
  identities: queries.deleteIdentities,
  recovery_codes: queries.deleteRecoveryCodes,
  users: async (tx, tombstones, now) => {
    const ids = await queries.listRestoredUsers(tx, hashesOf(tombstones))
    for (const id of ids) await eraseAccount(tx, silence, { presence: nobodyOnline, now }, id as UserId)
    return ids.length
  },
}

/**
 * Erases again, in a restored database, everything that was erased after the backup was made. Returns how many items
 * were erased.
 */
export async function replayErasures(tx: Tx, tombstones: readonly Tombstone[], now: Date): Promise<number> {
  let erased = 0
  for (const [table, replay] of Object.entries(replays)) {
    const ofTable = tombstones.filter(({ kind }) => kind === table)
    erased += await replay(tx, ofTable, now)
  }
  await queries.alignHasImage(tx)
  return erased
}

function replayById(table: string): Replay {
  return (tx, tombstones) => queries.deleteRows(tx, table, hashesOf(tombstones))
}

function hashesOf(tombstones: readonly Tombstone[]): string[] {
  return tombstones.map(({ id_hash }) => id_hash)
}
