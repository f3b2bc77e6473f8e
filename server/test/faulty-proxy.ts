import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** `open` forwards everything. `closed` resets new connections. `silent` accepts connections and forwards nothing. */
type ProxyState = 'open' | 'closed' | 'silent'

export interface FaultyProxy {
  readonly port: number
  set(state: ProxyState): void
  /** Closes every connection immediately, in the middle of whatever it transfers. */
  cut(): void
  /** Forwards new connections to this port. */
  setTarget(port: number): void
  /** Closes the connection instead of forwarding the next response that contains this text. */
  dropResponse(text: string): void
  /** Forwards half of the next request and then closes the connection. */
  truncateRequest(): void
  close(): Promise<void>
}

/** Opens a TCP proxy to a server on this machine. A test can interrupt or block its connections. */
export async function openFaultyProxy(targetPort: number): Promise<FaultyProxy> {
  const ends = new Set<Socket>()
  let target = targetPort
  let state: ProxyState = 'open'
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
    dropResponse(text) {
      lostText = text
    },
    truncateRequest() {
      isHalved = true
    },
    async close() {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
