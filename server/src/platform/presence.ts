import { type UserId } from '@hither/contract/ids.ts'

/** Who is online at this moment, as the live channel sees it. Whether a viewer may know is the caller's question. */
export interface Presence {
  isOnline(userId: UserId): boolean
}
