import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Above 10080, the highest port that browsers block, and below the ephemeral ports of Linux (from 32768), macOS and Windows (from 49152). */
export const portRange = { lowest: 10_100, highest: 32_000 } as const

/**
 * Reserves a TCP port of the loopback address for a program that is started with a port number. The port stays reserved
 * until this process ends, also while the program restarts: the range is outside the ephemeral ports, and a UDP socket bound
 * to the same number makes every other caller, in any process, skip it. Throws after 100 failed attempts.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const { lowest, highest } = portRange
    const port = lowest + Math.floor(Math.random() * (highest - lowest))
    if ((await reserve(port)) && (await isFree(port))) return port
  }
  throw new Error(`No free port between ${portRange.lowest} and ${portRange.highest}`)
}

async function reserve(port: number): Promise<boolean> {
  const reservation = createSocket('udp4')
  try {
    reservation.bind({ port, address: '127.0.0.1', exclusive: true })
    await once(reservation, 'listening')
    reservation.unref()
    return true
  } catch (error) {
    return refuseAllButTaken(error)
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen({ port, host: '127.0.0.1', exclusive: true })
  try {
    await once(server, 'listening')
  } catch (error) {
    return refuseAllButTaken(error)
  }
  server.close()
  await once(server, 'close')
  return true
}

function refuseAllButTaken(error: unknown): false {
  if (['EADDRINUSE', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
  throw error
}
