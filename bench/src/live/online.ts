import { setTimeout as pause } from 'node:timers/promises'
import { median } from '../process.ts'
import type { Side } from './sides.ts'

const warmRounds = 5

/**
 * The first user goes online and offline again, `rounds` times, while all others are online, and waits `pauseMs` before each
 * change: a user's row is announced at most once a second. Returns the median time in
 * milliseconds until the last of the others has received that the user is online, and the CPU time in microseconds of a round.
 */
export async function measureOnline(
  side: Side,
  others: number,
  { rounds, pauseMs = 0 }: { rounds: number; pauseMs?: number },
): Promise<{ milliseconds: number; cpuMicroseconds: number }> {
  const friends = await Promise.all(Array.from({ length: others }, (_, index) => side.joinOnline(index + 1)))
  for (const friend of friends) friend.say()
  const member = await side.joinOnline(0)
  const results: number[] = []
  const change = async () => {
    if (pauseMs > 0) await pause(pauseMs)
    const arrivals = friends.map((friend) => friend.next())
    const startedAt = performance.now()
    member.say()
    return Math.max(...(await Promise.all(arrivals))) - startedAt
  }
  if (pauseMs === 0) for (let round = 0; round < warmRounds * 2; round++) await change()
  const before = await side.server.cpuMicroseconds()
  for (let round = 0; round < rounds; round++) {
    results.push(await change())
    await change()
  }
  const cpuMicroseconds = ((await side.server.cpuMicroseconds()) - before) / rounds
  for (const each of [...friends, member]) each.close()
  return { milliseconds: median(results), cpuMicroseconds }
}
