import { type UserId } from '@hither/contract/ids.ts'

/** Who is online at this moment, at whichever node. Whether a viewer may know is the caller's question. */
export interface Presence {
  isOnline(userId: UserId): Promise<boolean>
  onlineAmong(userIds: readonly UserId[]): Promise<ReadonlySet<UserId>>
}
