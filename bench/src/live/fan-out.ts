import { type Measured, median } from '../process.ts'
import type { Member } from './member.ts'

/**
 * The members broadcast in turn at a fixed rate, and each broadcast is awaited. Returns the median time in milliseconds until
 * the last of the others has received a broadcast, and the CPU time of the server per delivery in microseconds.
 */
export async function measureFanOut(
  server: Measured,
  room: readonly Member[],
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<{ milliseconds: number; cpuMicroseconds: number }> {
  const results: number[] = []
  const cpuBefore = await server.cpuMicroseconds()
  const startedAt = performance.now()
  for (let round = 0; round < perSecond * seconds; round++) {
    const dueAt = startedAt + (round * 1000) / perSecond
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueAt - performance.now())))
    const speaker = room[round % room.length]
    const arrivals = room.filter((member) => member !== speaker).map((member) => member.next())
    // A timer fires up to a millisecond late, which is not a delay of the server.
    const saidAt = performance.now()
    speaker?.say()
    results.push(Math.max(...(await Promise.all(arrivals))) - saidAt)
  }
  const deliveries = results.length * (room.length - 1)
  return {
    milliseconds: median(results),
    cpuMicroseconds: ((await server.cpuMicroseconds()) - cpuBefore) / deliveries,
  }
}
