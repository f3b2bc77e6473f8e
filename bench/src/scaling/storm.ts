import { joinQueueLimits } from '../../../server/src/realtime/gateway/join-queue.ts'

/** The retry delays of the official client, in seconds. They have no jitter, so all clients retry at the same time. */
const retrySeconds = [1, 2, 5, 10] as const
const stepSeconds = 0.05

interface Storm {
  /** The time until the last client has joined, in seconds. */
  readonly seconds: number
  readonly rejected: number
}

/** Simulates this many simultaneous joins at a node that processes them in order at a fixed rate. */
export function simulateStorm(joins: number, joinsASecond: number): Storm {
  let [left, rejected, mayServe] = [joins, 0, 0]
  const line: { since: number; tries: number; count: number }[] = []
  const coming = new Map<number, { tries: number; count: number }[]>([
    [stepOf(retrySeconds[0]), [{ tries: 0, count: joins }]],
  ])
  const comeAgain = (now: number, tries: number, count: number) => {
    if (count === 0) return
    rejected += count
    const delay = retrySeconds[Math.min(tries, retrySeconds.length - 1)] ?? 10
    const at = stepOf(now + delay)
    coming.set(at, [...(coming.get(at) ?? []), { tries: tries + 1, count }])
  }
  for (let step = 0; left > 0 && step < stepOf(3600); step++) {
    const now = step * stepSeconds
    for (const { tries, count } of coming.get(step) ?? []) {
      const room = joinQueueLimits.waitingMax - line.reduce((sum, one) => sum + one.count, 0)
      const taken = Math.max(0, Math.min(count, room))
      if (taken > 0) line.push({ since: now, tries, count: taken })
      comeAgain(now, tries, count - taken)
    }
    for (let first = line[0]; first && now - first.since > joinQueueLimits.answerWithinMs / 1000; first = line[0]) {
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
    if (left === 0) return { seconds: now, rejected }
  }
  return { seconds: Number.POSITIVE_INFINITY, rejected }
}

function stepOf(seconds: number): number {
  return Math.round(seconds / stepSeconds)
}
