/** Returns the value of a `datetime-local` field for a time, in the viewer's time zone. */
export function localInputOf(atMs: number): string {
  const date = new Date(atMs)
  const local = new Date(atMs - date.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

/** Returns the start of the next hour, in the viewer's time zone. */
export function nextFullHour(nowMs: number): number {
  const date = new Date(nowMs)
  return date.setHours(date.getHours() + 1, 0, 0, 0)
}

/** Returns an hour of the day that is `days` after today. */
export function hourOfDay(nowMs: number, days: number, hour: number): number {
  const date = new Date(nowMs)
  date.setDate(date.getDate() + days)
  return date.setHours(hour, 0, 0, 0)
}

/** Returns the Unix milliseconds of a `datetime-local` value, or NaN. */
export function momentOfLocalInput(value: string): number {
  return value === '' ? Number.NaN : new Date(value).getTime()
}
