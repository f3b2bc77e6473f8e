import { type UserId } from '@hither/contract/ids.ts'
import { type Ping } from '@hither/contract/pings.ts'
import { type Pin } from '../map/pins.ts'
import { captionText, fractionLeft, minutesLeft, spokenMinutes, statusAt } from './pings.rules.ts'
import { shortestTime, shortTime } from './times.ts'

/** Everything the map shows, derived here and nowhere else: expired pings leave it by the clock. */
export function pinsOf(pings: readonly Ping[], nowMs: number, viewerId: UserId | undefined): Pin[] {
  return pings
    .filter((ping) => statusAt(ping, nowMs) !== 'expired')
    .map((ping) => pinOf(ping, nowMs, viewerId))
    .sort(fromNorthToSouth)
}

function pinOf(ping: Ping, nowMs: number, viewerId: UserId | undefined): Pin {
  const isOwn = ping.user_id === viewerId
  const isPending = statusAt(ping, nowMs) === 'pending'
  const minutes = minutesLeft(ping, nowMs)
  const start = shortTime(ping.activates_at ?? ping.created_at, nowMs)
  return {
    id: ping.id,
    latitude: ping.latitude,
    longitude: ping.longitude,
    look: isPending ? 'pending' : isOwn ? 'own' : 'friend',
    userId: ping.user_id,
    username: ping.username,
    hasImage: ping.user_has_image,
    // In steps that can be seen, so that the marker is not redrawn every second.
    fractionLeft: Math.round(fractionLeft(ping, nowMs) * 200) / 200,
    caption: isPending ? shortestTime(ping.activates_at ?? ping.created_at, nowMs) : captionText(minutes),
    label: `${isOwn ? 'You' : ping.username}, ${ping.name}, ${isPending ? `starts ${start}` : `${spokenMinutes(minutes)} left`}`,
  }
}

/** Southern markers stand in front of northern ones, as things do that are nearer. */
function fromNorthToSouth(a: Pin, b: Pin): number {
  return b.latitude - a.latitude || a.id.localeCompare(b.id)
}
