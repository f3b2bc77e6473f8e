import { median } from '../process.ts'
import type { Member } from './member.ts'
import type { Side } from './sides.ts'

/** The text of a stored message. */
const text = 'See you at eight'

/** Posts at a fixed rate. Returns the median time from a scheduled post until all members have received its message. */
export async function measureLatency(
  side: Side,
  name: string,
  room: readonly Member[],
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<number> {
  const results: number[] = []
  for (let round = 0; round < perSecond * seconds; round++) {
    const dueAt = performance.now()
    results.push((await postAndReceive(side, name, room)) - dueAt)
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueAt + 1000 / perSecond - performance.now())))
  }
  return median(results)
}

/** Returns the CPU time of the server per delivery in microseconds, with the call included. */
export async function measureDeliveryCost(
  side: Side,
  name: string,
  room: readonly Member[],
  posts: number,
): Promise<number> {
  const before = await side.server.cpuMicroseconds()
  for (let round = 0; round < posts; round++) await postAndReceive(side, name, room)
  return ((await side.server.cpuMicroseconds()) - before) / posts / room.length
}

/** Posts without pause, `inFlight` at a time, to one room after the other, until all members have received everything. */
export async function measurePosts(
  side: Side,
  names: readonly string[],
  rooms: readonly (readonly Member[])[],
  { posts, inFlight }: { posts: number; inFlight: number },
): Promise<{ perSecond: number; cpuMicroseconds: number }> {
  const members = rooms.flat()
  const [frameBytes, size] = [await measureMessage(side, names, rooms), rooms[0]?.length ?? 0]
  const bytes = () => members.reduce((sum, member) => sum + member.received(), 0)
  const [cpuBefore, bytesBefore, startedAt] = [await side.server.cpuMicroseconds(), bytes(), performance.now()]
  let posted = 0
  const next = async () => {
    while (posted < posts) await side.post(names[posted++ % names.length] ?? '', text)
  }
  await Promise.all(Array.from({ length: inFlight }, next))
  // The length of a message varies by the digits of its position.
  while ((bytes() - bytesBefore) / frameBytes / size < posts * 0.99)
    await new Promise((resolve) => setImmediate(resolve))
  const seconds = (Math.max(...members.map((member) => member.lastAt())) - startedAt) / 1000
  return { perSecond: posts / seconds, cpuMicroseconds: ((await side.server.cpuMicroseconds()) - cpuBefore) / posts }
}

async function postAndReceive(side: Side, name: string, room: readonly Member[]): Promise<number> {
  const arrivals = room.map((member) => member.next())
  const posted = side.post(name, text)
  const lastAt = Math.max(...(await Promise.all(arrivals)))
  await posted
  return lastAt
}

/** Returns the number of bytes that a member of the first room receives for one message. */
async function measureMessage(
  side: Side,
  names: readonly string[],
  rooms: readonly (readonly Member[])[],
): Promise<number> {
  const [[listener] = []] = rooms
  const before = listener?.received() ?? 0
  await postAndReceive(side, names[0] ?? '', rooms[0] ?? [])
  return (listener?.received() ?? 0) - before
}
