import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Above 10080, which browsers refuse; below what Linux (32768), macOS and Windows (49152) give to outgoing connections. */
export const portRange = { lowest: 10_100, highest: 32_000 } as const

/**
 * A TCP port of the loopback address for a program that is started with a port number. It stays free until this process ends,
 * also while that program restarts: no outgoing connection is given a port of this range, and every other caller, in this
 * process or another, is kept away by a UDP socket that is bound to the same number.
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
