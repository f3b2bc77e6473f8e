const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'short' })
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const dayAndClock = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})

/** The time alone where it is today, else with its day. */
export function shortTime(at: string | number, nowMs: number): string {
  const date = new Date(at)
  const isToday = date.toDateString() === new Date(nowMs).toDateString()
  return (isToday ? clock : dayAndClock).format(date)
}

/** For a marker, where there is room for one word: the time where it is today, else the day. */
export function shortestTime(at: string | number, nowMs: number): string {
  const date = new Date(at)
  if (date.toDateString() === new Date(nowMs).toDateString()) return clock.format(date)
  const isThisWeek = Math.abs(date.getTime() - nowMs) < 6 * 86_400_000
  return (isThisWeek ? weekday : day).format(date)
}

/** What a `datetime-local` field holds for a moment, in the viewer's zone. */
export function localInputOf(atMs: number): string {
  const date = new Date(atMs)
  const local = new Date(atMs - date.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

/** The moment that a `datetime-local` field names, or NaN. */
export function momentOfLocalInput(value: string): number {
  return value === '' ? Number.NaN : new Date(value).getTime()
}

export function zoneName(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll('_', ' ')
}
