import type { Ping } from '@hither/contract/pings.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import { t } from '../i18n/translate.ts'
import type { Pin } from '../map/pins/pins.ts'
import { shortDurationText, shortestTime, shortTime, spokenDuration } from '../ui/format-time.ts'
import { countGoing, fractionLeft, minutesLeft, statusAt, titleOf } from './pings.rules.ts'
import { isExact, shortPlaceText } from './place/place.rules.ts'

/** Derives all pins of the map from the pings. Expired pings leave the map by the clock, without an event. */
export function pinsOf(pings: readonly Ping[], nowMs: number): Pin[] {
  return pings
    .filter((ping) => statusAt(ping, nowMs) !== 'expired')
    .map((ping) => pinOf(ping, nowMs))
    .sort(fromNorthToSouth)
}

function pinOf(ping: Ping, nowMs: number): Pin {
  const isOwn = ping.access === 'owner'
  const isPending = statusAt(ping, nowMs) === 'pending'
  const minutes = minutesLeft(ping, nowMs)
  const start = shortTime(ping.activates_at ?? ping.created_at, nowMs)
  const going = isOwn ? countGoing(ping) : 0
  const note = going > 0 ? t('pings.going', { count: going }) : null
  const town = isExact(ping) ? null : shortPlaceText(ping)
  const time = isPending
    ? t('pings.marker.starts', { time: start })
    : t('pings.marker.left', { duration: spokenDuration(minutes) })
  return {
    id: ping.id,
    latitude: ping.latitude,
    longitude: ping.longitude,
    radiusM: isExact(ping) ? null : ping.place_radius_m,
    look: isPending ? 'pending' : isOwn ? 'own' : 'friend',
    userId: ping.user_id,
    name: shownName(ping),
    hasImage: ping.user_has_image,
    // Rounded to visible steps, so that a marker does not render every second.
    fractionLeft: Math.round(fractionLeft(ping, nowMs) * 200) / 200,
    caption: isPending ? shortestTime(ping.activates_at ?? ping.created_at, nowMs) : shortDurationText(minutes),
    note,
    label: [isOwn ? t('pings.you') : shownName(ping), titleOf(ping), town, time, note].filter(Boolean).join(', '),
  }
}

/** Southern markers are in front of northern ones, like nearer objects. */
function fromNorthToSouth(a: Pin, b: Pin): number {
  return b.latitude - a.latitude || a.id.localeCompare(b.id)
}
