import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { PingRow } from '@hither/contract/pings.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import type { TripState } from '@hither/contract/trips.ts'
import { findVisible } from '../../pings/pings.service.ts'
import type { Translate } from '../../platform/languages/translator.ts'
import { findTripNotice, type TripNotice } from '../../trips/trips.service.ts'
import { linkTo } from './content.rules.ts'
import { type Kind, minuteMs, type NotificationContent } from './kind.ts'

interface Subject {
  readonly ping_id: PingId
  readonly responder_id: UserId
  readonly state: TripState
}

/** Somebody is on the way to a pin of the receiver, or has arrived. Nothing is sent once the trip has another state. */
export const pingTrip: Kind<Subject> = {
  lifetimeMs: 60 * minuteMs,
  urgency: 'high',
  events: {
    trip_shared: ({ pingId, travelerId, ownerId, state, at }) => ({
      subject: { ping_id: pingId, responder_id: travelerId, state },
      tag: `trip:${pingId}:${travelerId}`,
      happenedAt: at,
      to: { userIds: [ownerId], dueAt: at },
    }),
  },
  hiddenTitle: (t) => t('pushes.hidden.ping_trip'),
  async find({ pool, now, t }, { user_id, subject: { ping_id, responder_id, state } }) {
    const ping = await findVisible(pool, user_id, ping_id, now())
    if (ping?.access !== 'owner' || ping.status === 'expired') return null
    const trip = await findTripNotice(pool, ping_id, responder_id, now())
    return trip?.state === state ? { content: contentOf(ping, trip, now(), t), endsAt: ping.expires_at } : null
  },
}

function contentOf(ping: PingRow, trip: TripNotice, now: Date, t: Translate): NotificationContent {
  const name = shownName(trip)
  if (trip.state === 'arrived')
    return { ...linkTo(ping), title: t('pushes.isHere', { name }), body: ping.name, actions: [] }
  const minutes = Math.max(1, Math.ceil((Date.parse(trip.arrives_at) - now.getTime()) / minuteMs))
  const body = t('pushes.arrivesIn', { pin: ping.name, duration: durationText(minutes, t) })
  return { ...linkTo(ping), title: t('pushes.onTheWay', { name }), body, actions: [] }
}

/** For example "12 min", "1 h" or "1 h 5 min". */
function durationText(minutes: number, t: Translate): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  const parts = [
    ...(hours > 0 ? [t('pushes.hours', { count: hours })] : []),
    ...(rest > 0 || hours === 0 ? [t('pushes.minutes', { count: rest })] : []),
  ]
  return parts.join(' ')
}
