const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' })
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const month = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric' })
const shortMonth = new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric' })

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** In the reader's language; less than a minute either way is "now". */
export function relativeTime(atMs: number, nowMs: number): string {
  const seconds = (atMs - nowMs) / 1000
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1]
  return relative.format(unit === 'second' ? 0 : Math.trunc(seconds / size), unit)
}

export function exactTime(at: string | number): string {
  return exact.format(new Date(at))
}

export function clockTime(at: string | number): string {
  return clock.format(new Date(at))
}

export function shortMonthAndYear(at: string | number): string {
  return shortMonth.format(new Date(at))
}

export function monthAndYear(at: string | number): string {
  return month.format(new Date(at))
}
