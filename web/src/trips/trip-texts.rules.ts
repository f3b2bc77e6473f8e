import type { Trip } from '@hither/contract/trips.ts'
import { t } from '../i18n/translate.ts'
import { clockTime, durationText, spokenDuration } from '../ui/format-time.ts'

// What is said about trips. `nowMs` is the time of the server.

const minuteMs = 60_000
/** The age of a trip from which it is shown. */
const shownAgeMinutes = 2
/** How long after the arrival time a person is said to arrive now. */
const arrivingNowMs = 10 * minuteMs

/** The four ways in which a trip is shown. */
type Phase = 'on the way' | 'arriving now' | 'late' | 'here'

interface RowText {
  readonly main: string
  readonly second: string
  readonly isHere: boolean
}

/** Returns the texts of the row of a trip under "Who's coming". */
export function rowText(trip: Trip, nowMs: number): RowText {
  const time = clockTime(trip.arrives_at)
  const age = ageMinutes(trip, nowMs)
  switch (phaseOf(trip, nowMs)) {
    case 'on the way': {
      const second =
        age < shownAgeMinutes
          ? t('trips.tripRow.arrives', { time })
          : t('trips.tripRow.arrivesUpdated', { time, minutes: age })
      return { main: durationText(minutesLeft(trip, nowMs)), second, isHere: false }
    }
    case 'arriving now':
      return {
        main: t('trips.tripRow.arrivingNow'),
        second: t('trips.tripRow.arrivesUpdated', { time, minutes: age }),
        isHere: false,
      }
    case 'late':
      return { main: t('trips.tripRow.late'), second: t('trips.tripRow.updated', { minutes: age }), isHere: false }
    case 'here':
      return { main: t('trips.tripRow.here'), second: t('trips.tripRow.since', { time }), isHere: true }
  }
}

/** Returns the accessible name of the row: "Bob, arrives in 12 minutes, at 7:42 PM, updated 6 minutes ago". */
export function rowName(name: string, trip: Trip, nowMs: number): string {
  const time = clockTime(trip.arrives_at)
  const age = ageMinutes(trip, nowMs)
  const updated = t('trips.tripRow.spokenUpdated', { duration: spokenDuration(age) })
  switch (phaseOf(trip, nowMs)) {
    case 'on the way': {
      const arrives = t('trips.tripRow.spokenArrives', { duration: spokenDuration(minutesLeft(trip, nowMs)), time })
      return [name, arrives, ...(age < shownAgeMinutes ? [] : [updated])].join(', ')
    }
    case 'arriving now':
      return [name, t('trips.tripRow.spokenArrivingNow', { time }), updated].join(', ')
    case 'late':
      return [name, t('trips.tripRow.spokenLate'), updated].join(', ')
    case 'here':
      return [name, t('trips.tripRow.spokenHere', { time })].join(', ')
  }
}

function phaseOf(trip: Trip, nowMs: number): Phase {
  if (trip.state === 'arrived') return 'here'
  const pastMs = nowMs - Date.parse(trip.arrives_at)
  if (pastMs < 0) return 'on the way'
  return pastMs <= arrivingNowMs ? 'arriving now' : 'late'
}

function minutesLeft({ arrives_at }: Trip, nowMs: number): number {
  return Math.ceil((Date.parse(arrives_at) - nowMs) / minuteMs)
}

/** At least one: the age is shown from then on. */
function ageMinutes({ updated_at }: Trip, nowMs: number): number {
  return Math.max(1, Math.floor((nowMs - Date.parse(updated_at)) / minuteMs))
}

/** Returns the line of the card on the map, such as "2 on the way, 1 here". Null without trips. */
export function cardLine(trips: readonly Trip[]): string | null {
  const here = trips.filter(({ state }) => state === 'arrived').length
  const onTheWay = trips.length - here
  const parts = [
    ...(onTheWay > 0 ? [t('trips.tripRow.onTheWay', { count: onTheWay })] : []),
    ...(here > 0 ? [t('trips.tripRow.countHere', { count: here })] : []),
  ]
  return parts.length > 0 ? parts.join(', ') : null
}

/** A trip of the viewer on the way, with the name of its pin. */
interface NamedTrip {
  readonly name: string
  readonly arrives_at: string
}

/** Returns the text of the trip bar: the earliest arrival and the number of other trips. Null without trips on the way. */
export function barText(trips: readonly NamedTrip[]): string | null {
  const [first, ...others] = [...trips].sort((a, b) => Date.parse(a.arrives_at) - Date.parse(b.arrives_at))
  if (!first) return null
  const text = t('trips.onTheWayTo', { name: first.name, time: clockTime(first.arrives_at) })
  return others.length > 0 ? t('trips.andMore', { text, others: others.length }) : text
}

/** Returns who will see the trip. `names`: the other viewers, with the owner of the pin first. */
export function audienceText(names: readonly string[]): string {
  const [first, second, ...more] = names
  if (first === undefined) return t('trips.nobodyYet')
  if (second === undefined) return t('trips.onlyOne', { name: first })
  return more.length === 0 ? t('trips.two', { first, second }) : t('trips.several', { first, others: more.length + 1 })
}

/** Returns the warning that the pin ends before the arrival; null if it does not. */
export function endWarning(expiresAt: string, minutes: number, nowMs: number): string | null {
  const isBefore = Date.parse(expiresAt) < nowMs + minutes * minuteMs
  return isBefore ? t('trips.endsBefore', { time: clockTime(expiresAt) }) : null
}
