import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * Opens a TCP proxy to the server at this origin. `cut` closes all its connections and drops the data in transit. While it is
 * down it accepts no connection.
 */
export async function openTcpProxy(origin: string) {
  const { hostname, port } = new URL(origin)
  const ends = new Set<Socket>()
  let isDown = false
  const server = createServer((near) => {
    if (isDown) return void near.destroy()
    const far = connect(Number(port), hostname)
    for (const [from, to] of [[near, far] as const, [far, near] as const]) {
      ends.add(from)
      from.on('error', () => {})
      from.on('close', () => {
        ends.delete(from)
        to.destroy()
      })
      from.pipe(to)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const end of ends) end.destroy()
  }
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    goDown() {
      isDown = true
      cut()
    },
    comeBack() {
      isDown = false
    },
    close() {
      cut()
      server.close()
    },
  }
}
