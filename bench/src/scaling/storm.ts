import { admissionLimits } from '../../../server/src/realtime/admission.ts'

/** As the official client does: the first after a second, whatever happened, and all in step. */
const retrySeconds = [1, 2, 5, 10] as const
const stepSeconds = 0.05

export interface Storm {
  /** Until the last has joined. */
  readonly seconds: number
  readonly sentAway: number
}

/** So many joins come to one node at once, which answers so many a second, in the order in which they came. */
export function weather(joins: number, joinsASecond: number): Storm {
  let [left, sentAway, mayServe] = [joins, 0, 0]
  const line: { since: number; tries: number; count: number }[] = []
  const coming = new Map<number, { tries: number; count: number }[]>([
    [stepOf(retrySeconds[0]), [{ tries: 0, count: joins }]],
  ])
  const comeAgain = (now: number, tries: number, count: number) => {
    if (count === 0) return
    sentAway += count
    const delay = retrySeconds[Math.min(tries, retrySeconds.length - 1)] ?? 10
    const at = stepOf(now + delay)
    coming.set(at, [...(coming.get(at) ?? []), { tries: tries + 1, count }])
  }
  for (let step = 0; left > 0 && step < stepOf(3600); step++) {
    const now = step * stepSeconds
    for (const { tries, count } of coming.get(step) ?? []) {
      const room = admissionLimits.waitingMax - line.reduce((sum, one) => sum + one.count, 0)
      const taken = Math.max(0, Math.min(count, room))
      if (taken > 0) line.push({ since: now, tries, count: taken })
      comeAgain(now, tries, count - taken)
    }
    for (let first = line[0]; first && now - first.since > admissionLimits.answerWithinMs / 1000; first = line[0]) {
      line.shift()
      comeAgain(now, first.tries, first.count)
    }
    mayServe = line.length === 0 ? 0 : mayServe + joinsASecond * stepSeconds
    for (let first = line[0]; first && mayServe >= 1; first = line[0]) {
      const served = Math.min(first.count, Math.floor(mayServe))
      first.count -= served
      left -= served
      mayServe -= served
      if (first.count > 0) break
      line.shift()
    }
    if (left === 0) return { seconds: now, sentAway }
  }
  return { seconds: Number.POSITIVE_INFINITY, sentAway }
}

function stepOf(seconds: number): number {
  return Math.round(seconds / stepSeconds)
}
