import type { Trip } from '@hither/contract/trips.ts'
import { clockTime, durationText, spokenDuration } from '../ui/format-time.ts'
import { tripRowStrings, tripStrings } from './strings.ts'

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
      const second = age < shownAgeMinutes ? tripRowStrings.arrives(time) : tripRowStrings.arrivesUpdated(time, age)
      return { main: durationText(minutesLeft(trip, nowMs)), second, isHere: false }
    }
    case 'arriving now':
      return { main: tripRowStrings.arrivingNow, second: tripRowStrings.arrivesUpdated(time, age), isHere: false }
    case 'late':
      return { main: tripRowStrings.late, second: tripRowStrings.updated(age), isHere: false }
    case 'here':
      return { main: tripRowStrings.here, second: tripRowStrings.since(time), isHere: true }
  }
}

/** Returns the accessible name of the row: "Bob, arrives in 12 minutes, at 7:42 PM, updated 6 minutes ago". */
export function rowName(name: string, trip: Trip, nowMs: number): string {
  const time = clockTime(trip.arrives_at)
  const age = ageMinutes(trip, nowMs)
  const updated = tripRowStrings.spokenUpdated(spokenDuration(age))
  switch (phaseOf(trip, nowMs)) {
    case 'on the way': {
      const arrives = tripRowStrings.spokenArrives(spokenDuration(minutesLeft(trip, nowMs)), time)
      return [name, arrives, ...(age < shownAgeMinutes ? [] : [updated])].join(', ')
    }
    case 'arriving now':
      return [name, tripRowStrings.spokenArrivingNow(time), updated].join(', ')
    case 'late':
      return [name, tripRowStrings.spokenLate, updated].join(', ')
    case 'here':
      return [name, tripRowStrings.spokenHere(time)].join(', ')
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
    ...(onTheWay > 0 ? [tripRowStrings.onTheWay(onTheWay)] : []),
    ...(here > 0 ? [tripRowStrings.countHere(here)] : []),
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
  const text = tripStrings.onTheWayTo(first.name, clockTime(first.arrives_at))
  return others.length > 0 ? tripStrings.andMore(text, others.length) : text
}

/** Returns who will see the trip. `names`: the other viewers, with the owner of the pin first. */
export function audienceText(names: readonly string[]): string {
  const [first, second, ...more] = names
  if (first === undefined) return tripStrings.nobodyYet
  if (second === undefined) return tripStrings.onlyOne(first)
  return more.length === 0 ? tripStrings.two(first, second) : tripStrings.several(first, more.length + 1)
}

/** Returns the warning that the pin ends before the arrival; null if it does not. */
export function endWarning(expiresAt: string, minutes: number, nowMs: number): string | null {
  const isBefore = Date.parse(expiresAt) < nowMs + minutes * minuteMs
  return isBefore ? tripStrings.endsBefore(clockTime(expiresAt)) : null
}
