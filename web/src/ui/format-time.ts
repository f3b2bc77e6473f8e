import { formattingLocale } from '../i18n/language.ts'
import { shownZone, zoneOfDevice } from '../i18n/time-zone.ts'
import { t } from '../i18n/translate.ts'

/** Formats keep the zone in which they were made. */
function formatsOf(zone: string) {
  return {
    zone,
    clock: new Intl.DateTimeFormat(formattingLocale, { timeStyle: 'short' }),
    exact: new Intl.DateTimeFormat(formattingLocale, { dateStyle: 'full', timeStyle: 'short' }),
    month: new Intl.DateTimeFormat(formattingLocale, { month: 'long', year: 'numeric' }),
    shortMonth: new Intl.DateTimeFormat(formattingLocale, { month: 'short', year: 'numeric' }),
    weekday: new Intl.DateTimeFormat(formattingLocale, { weekday: 'short' }),
    shortDay: new Intl.DateTimeFormat(formattingLocale, { day: 'numeric', month: 'short' }),
    longDay: new Intl.DateTimeFormat(formattingLocale, { day: 'numeric', month: 'long' }),
    weekdayAndDay: new Intl.DateTimeFormat(formattingLocale, { weekday: 'long', day: 'numeric', month: 'long' }),
    fullDay: new Intl.DateTimeFormat(formattingLocale, { day: 'numeric', month: 'long', year: 'numeric' }),
    dayAndClock: new Intl.DateTimeFormat(formattingLocale, {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      hour: 'numeric',
      minute: '2-digit',
    }),
  }
}

let made = formatsOf(shownZone())

function formats(): ReturnType<typeof formatsOf> {
  if (made.zone !== shownZone()) made = formatsOf(shownZone())
  return made
}

const relative = new Intl.RelativeTimeFormat(formattingLocale, { numeric: 'auto' })
const shortRelative = new Intl.RelativeTimeFormat(formattingLocale, { numeric: 'auto', style: 'short' })

const dayMs = 86_400_000
/** A time of day within these hours needs no day. */
const unambiguousMs = dayMs / 2

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** A time: ISO 8601, or Unix milliseconds. */
type Moment = string | number

/** For example "Sunday, November 22, 2026 at 7:30 PM". */
export function exactTime(at: Moment): string {
  return formats().exact.format(new Date(at))
}

/** For example "7:30 PM". */
export function clockTime(at: Moment): string {
  return formats().clock.format(new Date(at))
}

/** Returns the time alone if it is today, otherwise with its day: "Sun, Nov 22, 7:30 PM". */
export function shortTime(at: Moment, nowMs: number): string {
  return isSameDay(at, nowMs) ? clockTime(at) : formats().dayAndClock.format(new Date(at))
}

/** Returns one word: the time if it is today, otherwise the weekday, or the day if it is not within this week. */
export function shortestTime(at: Moment, nowMs: number): string {
  if (isSameDay(at, nowMs)) return clockTime(at)
  const isThisWeek = Math.abs(msOf(at) - nowMs) < 6 * dayMs
  return (isThisWeek ? formats().weekday : formats().shortDay).format(new Date(at))
}

/** Returns a time with the shortest name of its day: "7:30 PM" today, "Mon 7:30 PM", "Dec 3 7:30 PM". */
export function dayAndTime(at: Moment, nowMs: number): string {
  return isSameDay(at, nowMs) ? clockTime(at) : `${shortestTime(at, nowMs)} ${clockTime(at)}`
}

/** Returns what follows "until": "8:00 PM", "midnight" or, if that could be another day, "Sun, Nov 22, 8:00 PM". */
export function endTime(at: Moment, nowMs: number): string {
  const isSoon = msOf(at) >= nowMs && msOf(at) - nowMs <= unambiguousMs
  if (!isSoon) return shortTime(at, nowMs)
  const date = new Date(at)
  return date.getHours() === 0 && date.getMinutes() === 0 ? t('ui.time.midnight') : clockTime(at)
}

/** For example "7:30–8:00 PM", with the day in front if it does not start today. */
export function timeRange(startMs: number, endMs: number, nowMs: number): string {
  const format = isSameDay(startMs, nowMs) ? formats().clock : formats().dayAndClock
  if (isSameDay(startMs, endMs)) return withoutSpaces(format.formatRange(startMs, endMs))
  return `${shortTime(startMs, nowMs)}–${endTime(endMs, startMs)}`
}

/** Formats a time relative to `nowMs`. Less than a minute in either direction is "now". */
export function relativeTime(at: Moment, nowMs: number): string {
  return relativeBy(relative, msOf(at) - nowMs)
}

/** Returns a time in the past as short as a list row needs: "now", "5 min. ago", "yesterday". */
export function shortRelativeTime(at: Moment, nowMs: number): string {
  return relativeBy(shortRelative, Math.min(0, msOf(at) - nowMs))
}

/** Returns "Today", "Yesterday" or "Monday, March 3", with the year instead of the weekday if it is another year. */
export function dayName(at: Moment, nowMs: number): string {
  const date = new Date(at)
  const days = Math.round((dayAround(date.getTime()).startMs - dayAround(nowMs).startMs) / dayMs)
  if (days === 0 || days === -1) return capitalised(relative.format(days, 'day'))
  return (date.getFullYear() === new Date(nowMs).getFullYear() ? formats().weekdayAndDay : formats().fullDay).format(
    date,
  )
}

/** Returns "today", "yesterday" or "tomorrow", or else the day: "Nov 22". */
export function nearDay(at: Moment, nowMs: number): string {
  const days = Math.round((dayAround(msOf(at)).startMs - dayAround(nowMs).startMs) / dayMs)
  return Math.abs(days) <= 1 ? relative.format(days, 'day') : shortDate(at)
}

/** For example "Nov 22". */
export function shortDate(at: Moment): string {
  return formats().shortDay.format(new Date(at))
}

/** For example "November 22". */
export function longDate(at: Moment): string {
  return formats().longDay.format(new Date(at))
}

/** For example "November 2026". */
export function monthAndYear(at: Moment): string {
  return formats().month.format(new Date(at))
}

/** For example "Nov 2026". */
export function shortMonthAndYear(at: Moment): string {
  return formats().shortMonth.format(new Date(at))
}

/** For example "24 min", "2 h" or "1 h 5 min". */
export function durationText(minutes: number): string {
  const [hours, rest] = hoursAndMinutes(minutes)
  if (hours === 0) return t('ui.time.minutes', { count: rest })
  return rest === 0
    ? t('ui.time.hours', { count: hours })
    : `${t('ui.time.hours', { count: hours })} ${t('ui.time.minutes', { count: rest })}`
}

/** Like `durationText`, for a narrow place: "24 min", "2 h" or "1 h 5". */
export function shortDurationText(minutes: number): string {
  const [hours, rest] = hoursAndMinutes(minutes)
  return hours === 0 || rest === 0 ? durationText(minutes) : `${t('ui.time.hours', { count: hours })} ${rest}`
}

/** For screen readers, for example "1 hour 5 minutes". */
export function spokenDuration(minutes: number): string {
  const [hours, rest] = hoursAndMinutes(minutes)
  const parts = [
    hours > 0 && t('ui.time.spokenHours', { count: hours }),
    (rest > 0 || hours === 0) && t('ui.time.spokenMinutes', { count: rest }),
  ]
  return parts.filter(Boolean).join(' ')
}

/** For example "1h 5m remaining" or "24m remaining". */
export function remainingText(minutes: number): string {
  const [hours, rest] = hoursAndMinutes(minutes)
  return hours > 0 ? t('ui.time.remainingHours', { hours, minutes: rest }) : t('ui.time.remaining', { minutes: rest })
}

/** Returns the name of the viewer's time zone, for example "America/New York". */
export function zoneName(): string {
  return zoneOfDevice().replaceAll('_', ' ')
}

/** Returns the start of the local day of `atMs` and the start of the next day, in Unix milliseconds. */
export function dayAround(atMs: number): { startMs: number; endMs: number } {
  const date = new Date(atMs)
  const [year, monthIndex, day] = [date.getFullYear(), date.getMonth(), date.getDate()]
  return { startMs: new Date(year, monthIndex, day).getTime(), endMs: new Date(year, monthIndex, day + 1).getTime() }
}

function relativeBy(format: Intl.RelativeTimeFormat, ms: number): string {
  const seconds = ms / 1000
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1]
  return format.format(unit === 'second' ? 0 : Math.trunc(seconds / size), unit)
}

function msOf(at: Moment): number {
  return new Date(at).getTime()
}

function isSameDay(a: Moment, b: Moment): boolean {
  return new Date(a).toDateString() === new Date(b).toDateString()
}

function hoursAndMinutes(minutes: number): [hours: number, minutes: number] {
  return [Math.floor(minutes / 60), minutes % 60]
}

/** `Intl` puts thin spaces around the dash of a range in some locales. */
function withoutSpaces(range: string): string {
  return range.replace(/\s*–\s*/, '–')
}

function capitalised(text: string): string {
  return text.charAt(0).toLocaleUpperCase(formattingLocale) + text.slice(1)
}
