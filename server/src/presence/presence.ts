import type { UserId } from '@hither/contract/ids.ts'

/** Who is online at this moment, on any node. The caller decides whether a viewer may know. */
export interface Presence {
  isOnline(userId: UserId): Promise<boolean>
  onlineAmong(userIds: readonly UserId[]): Promise<ReadonlySet<UserId>>
}
