import type { FeedName } from '@hither/contract/feeds.ts'
import type { MessageId, UserId } from '@hither/contract/ids.ts'
import { eraseAccount } from '../accounts/account-erasure.service.ts'
import type { Announce } from '../events/changes.ts'
import type { feeds } from '../feeds/feeds.ts'
import { liftBlock, lockPairAndOwners, makeBlock } from '../friends/blocks.service.ts'
import { eraseMessage } from '../messages/account-erasure.service.ts'
import type { Tx } from '../platform/db/database.ts'
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

/** What is recorded as tombstones, in addition to the deletions from the tables of feeds. */
type OtherKind =
  | 'admins'
  | 'blocks'
  | 'chats'
  | 'circle_members'
  | 'identities'
  | 'images'
  | 'invitations'
  | 'passkeys'
  | 'passwords'
  | 'ping_places'
  | 'ping_recipients'
  | 'recovery_codes'

type FeedTable = {
  [F in FeedName]: (typeof feeds)[F]['erasure']['inRestore'] extends 'erased by tombstone'
    ? (typeof feeds)[F]['table']
    : never
}[FeedName]

/** Erases the rows that these tombstones of one kind name. Returns how many were erased. */
type Replay = (tx: Tx, tombstones: readonly Tombstone[], now: Date) => Promise<number>

/** In the order in which they run: the erasure of an account depends on all others. */
export const replays: { readonly [T in FeedTable | OtherKind]: Replay } = {
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
  blocks: async (tx, tombstones, now) => {
    const changes = await queries.listBlockChanges(tx, tombstones)
    for (const { blocker_id: blockerId, blocked_id: blockedId, is_made } of changes) {
      if (is_made) {
        const users = await lockPairAndOwners(tx, blockerId, blockedId)
        await makeBlock(tx, silence, users, { blockerId, blockedId, now })
      } else await liftBlock(tx, blockerId, blockedId)
    }
    return changes.length
  },
  circle_members: queries.deleteCircleMembers,
  circles: replayById('circles'),
  friendships: replayById('friendships'),
  images: replayById('images'),
  ping_guests: queries.deleteGuests,
  location_pins: async (tx, tombstones) => {
    await queries.moveChatDates(tx, tombstones)
    return queries.deleteRows(tx, 'location_pins', hashesOf(tombstones))
  },
  ping_places: async (tx, tombstones, now) => {
    const hashes = hashesOf(tombstones)
    await queries.moveChatDates(tx, tombstones)
    return (await queries.deletePingsEndedSince(tx, hashes, now)) + (await queries.erasePlaces(tx, hashes, null, now))
  },
  chats: replayById('chats'),
  invitations: replayById('invitations'),
  passkeys: replayById('passkeys'),
  identities: queries.deleteIdentities,
  recovery_codes: queries.deleteRecoveryCodes,
  passwords: queries.deleteEarlierPasswords,
  users: async (tx, tombstones, now) => {
    const ids = await queries.listRestoredUsers(tx, hashesOf(tombstones))
    for (const id of ids) await eraseAccount(tx, silence, { presence: nobodyOnline, now }, id as UserId)
    return ids.length
  },
}

interface Replayed {
  /** The number of items that were erased, blocked or unblocked again. */
  readonly erased: number
  /** The number of accounts that have no password now, because theirs was replaced. */
  readonly passwords: number
}

/** Repeats, in a restored database, everything that was erased, blocked or replaced after the backup was made. */
export async function replayErasures(tx: Tx, tombstones: readonly Tombstone[], now: Date): Promise<Replayed> {
  let [erased, passwords] = [0, 0]
  for (const [name, replay] of Object.entries(replays)) {
    const count = await replay(
      tx,
      tombstones.filter(({ kind }) => kind === name),
      now,
    )
    if (name === 'passwords') passwords = count
    else erased += count
  }
  await queries.alignHasImage(tx)
  return { erased, passwords }
}

function replayById(table: string): Replay {
  return (tx, tombstones) => queries.deleteRows(tx, table, hashesOf(tombstones))
}

function hashesOf(tombstones: readonly Tombstone[]): string[] {
  return tombstones.map(({ id_hash }) => id_hash)
}
