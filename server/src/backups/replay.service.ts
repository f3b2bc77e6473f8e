import { type MessageId, type UserId } from '@hither/contract/ids.ts'
import { eraseMessage } from '../messages/endings.service.ts'
import { type Announce } from '../platform/changes.ts'
import { type Db } from '../platform/database.ts'
import { eraseAccount } from '../users/account-erasure.service.ts'
import * as queries from './tombstones.queries.ts'
import { type Tombstone } from './tombstones.queries.ts'

/** Nobody is connected: there is nothing to tell, and nobody to tell it to. */
const silence: Announce = {
  insert() {},
  update() {},
  delete() {},
  sessionsEnded() {},
  friendsChanged() {},
  membershipEnded() {},
  pingDue() {},
  deliveriesWaiting() {},
  pushesWaiting() {},
}

const nobodyOnline = { isOnline: async () => false, onlineAmong: async () => new Set<UserId>() }

/** Erases again, in a restored database, what was erased since the backup was made. Answers how many things that were. */
export async function replayErasures(db: Db, tombstones: readonly Tombstone[], now: Date): Promise<number> {
  const of = (kind: string) => tombstones.filter((tombstone) => tombstone.kind === kind)
  const hashesOf = (kind: string) => of(kind).map(({ id_hash }) => id_hash)
  let erased = 0
  for (const id of await queries.listRestoredMessages(db, hashesOf('messages'))) {
    await eraseMessage(db, id as MessageId, now)
    erased++
  }
  erased += await queries.deleteMemberships(db, of('chat_members'))
  erased += await queries.deleteAdmins(db, of('admins'))
  for (const table of ['ping_recipients', 'friendships', 'images', 'location_pins', 'chats', 'invitations'])
    erased += await queries.deleteRows(db, table, hashesOf(table))
  // Last, since it looks at all of the others.
  for (const id of await queries.listRestoredUsers(db, hashesOf('users'))) {
    await eraseAccount(db, silence, { presence: nobodyOnline, now }, id as UserId)
    erased++
  }
  await queries.alignHasImage(db)
  return erased
}
