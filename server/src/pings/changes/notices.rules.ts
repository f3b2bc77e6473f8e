import type { Attendee } from './own-ping.queries.ts'

/** How long changes are collected before people are notified of them. */
const graceMs = 60_000
/** The shortest time between two notifications of a person about changes of one ping. */
export const changePauseMs = 300_000

/** Returns when a person is notified of a change. A notification that waits already is sent at its own time. */
export function changePushTime({ change_pushed_at }: Attendee, now: Date): Date {
  const latestMs = change_pushed_at === null ? Number.NEGATIVE_INFINITY : Date.parse(change_pushed_at)
  return new Date(Math.max(now.getTime() + graceMs, latestMs + changePauseMs))
}
