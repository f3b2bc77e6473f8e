import type { UserId } from '@hither/contract/ids.ts'
import type { Announce } from '../../events/changes.ts'
import { limitAudience } from '../../events/feed-declaration.ts'
import { feeds } from '../../feeds/feeds.ts'
import type { AnnouncedTrip } from './trip-audience.queries.ts'

/** Announces to everybody who saw them that these trips have ended. */
export function announceEnded(announce: Announce, trips: readonly AnnouncedTrip[]): void {
  for (const { trip, ...ping } of trips) announce.delete('ping_trips', trip, feeds.ping_trips.audience(trip, ping))
}

/** The trip appears or disappears for those of these users who are in its audience. */
export function announceSight(
  announce: Announce,
  kind: 'insert' | 'delete',
  { trip, ...ping }: AnnouncedTrip,
  userIds: readonly UserId[],
): void {
  announce[kind]('ping_trips', trip, limitAudience(feeds.ping_trips.audience(trip, ping), userIds))
}
