const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'narrow' })
const weekdayAndDay = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' })
const fullDay = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long', year: 'numeric' })
const daysOnly = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** As short as a row of the list has room for: "now", "5 min ago", "yesterday". */
export function shortRelativeTime(at: string, nowMs: number): string {
  const seconds = Math.min(0, (Date.parse(at) - nowMs) / 1000)
  const [unit, size] = units.find(([, size]) => -seconds >= size) ?? ['second', 1]
  return relative.format(unit === 'second' ? 0 : Math.trunc(seconds / size), unit)
}

/** "Today", "Yesterday", "Monday 3 March"; with its year where that is another. */
export function dayName(at: string, nowMs: number): string {
  const date = new Date(at)
  const now = new Date(nowMs)
  const days = Math.round((startOfDay(date) - startOfDay(now)) / 86_400_000)
  if (days === 0 || days === -1) return capitalised(daysOnly.format(days, 'day'))
  return (date.getFullYear() === now.getFullYear() ? weekdayAndDay : fullDay).format(date)
}

/** From its first moment to the first of the next, where the reader is. */
export function dayAround(atMs: number): { startMs: number; endMs: number } {
  const date = new Date(atMs)
  const next = new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1)
  return { startMs: startOfDay(date), endMs: next.getTime() }
}

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
}

function capitalised(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1)
}
