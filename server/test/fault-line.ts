import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** `open`: all passes. `closed`: who connects is turned away. `silent`: who connects gets in, and nothing passes either way. */
export type LineState = 'open' | 'closed' | 'silent'

export interface FaultLine {
  readonly port: number
  set(state: LineState): void
  /** Ends every connection at once, wherever what it carries has come to. */
  cut(): void
  /** Connections from now on go to this port. */
  setTarget(port: number): void
  /** The next answer that holds this text does not arrive: the connection ends instead. */
  loseAnswer(text: string): void
  /** Of the next request to come, half arrives before the connection ends. */
  halveRequest(): void
  close(): Promise<void>
}

/** A line to a real server on this machine, which a test can cut or silence. */
export async function openFaultLine(targetPort: number): Promise<FaultLine> {
  const ends = new Set<Socket>()
  let target = targetPort
  let state: LineState = 'open'
  let lostText: string | null = null
  let isHalved = false
  const server = createServer((near) => {
    if (state === 'closed') {
      near.resetAndDestroy()
      return
    }
    const far = connect(target, '127.0.0.1')
    for (const [from, to] of [[near, far] as const, [far, near] as const]) {
      ends.add(from)
      from.on('error', () => undefined)
      from.on('data', (chunk) => {
        const isLost = from === far && lostText !== null && chunk.includes(lostText)
        if (isLost) {
          lostText = null
          near.destroy()
        } else if (from === near && isHalved) {
          isHalved = false
          to.write(chunk.subarray(0, chunk.length / 2), () => near.destroy())
        } else to.write(chunk)
      })
      if (state === 'silent') from.pause()
      from.on('close', () => {
        ends.delete(from)
        to.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const end of ends) end.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    set(next) {
      state = next
      for (const end of ends) next === 'silent' ? end.pause() : end.resume()
    },
    cut,
    setTarget(port) {
      target = port
    },
    loseAnswer(text) {
      lostText = text
    },
    halveRequest() {
      isHalved = true
    },
    async close() {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
