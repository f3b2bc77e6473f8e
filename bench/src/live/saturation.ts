import type { Measured } from '../process.ts'
import type { Member } from './member.ts'

type Room = readonly Member[]

interface Saturated {
  readonly perSecond: number
  readonly cpuMicroseconds: number
}

/**
 * All members broadcast in turn, with a fixed number of concurrent broadcasts over all rooms, until each has sent `each`.
 * Every broadcast is one frame of the same length for each other member of the room.
 */
export async function saturate(
  server: Measured,
  rooms: readonly Room[],
  { frameBytes, inFlight, each }: { frameBytes: number; inFlight: number; each: number },
): Promise<Saturated> {
  // The order alternates between rooms, so that the broadcasts of one room are spread over time.
  const speakers = (rooms[0] ?? []).flatMap((_, seat) => rooms.flatMap((room) => room[seat] ?? []))
  const members = rooms.flat()
  const bytes = () => members.reduce((sum, member) => sum + member.received(), 0)
  const total = speakers.length * each
  const receivers = (rooms[0]?.length ?? 1) - 1
  const [cpuBefore, bytesBefore, startedAt] = [await server.cpuMicroseconds(), bytes(), performance.now()]
  const done = () => (bytes() - bytesBefore) / frameBytes / receivers
  let said = 0
  while (said < total) {
    for (let free = Math.floor(inFlight - (said - done())); free > 0 && said < total; free--)
      speakers[said++ % speakers.length]?.say()
    await new Promise((resolve) => setImmediate(resolve))
  }
  while (done() < total - 0.01) await new Promise((resolve) => setImmediate(resolve))
  const seconds = (Math.max(...members.map((member) => member.lastAt())) - startedAt) / 1000
  const deliveries = total * receivers
  return {
    perSecond: deliveries / seconds,
    cpuMicroseconds: ((await server.cpuMicroseconds()) - cpuBefore) / deliveries,
  }
}

/** The length of a broadcast frame on the wire, in bytes. */
export async function measureFrame(room: Room): Promise<number> {
  const [speaker, listener] = room
  const before = listener?.received() ?? 0
  speaker?.say()
  while (listener?.received() === before) await new Promise((resolve) => setImmediate(resolve))
  return (listener?.received() ?? 0) - before
}
