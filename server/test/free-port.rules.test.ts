import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { freePort, portRange } from './free-port.ts'

afterEach(() => vi.restoreAllMocks())

/** Makes `freePort` try this port first. */
function tryFirst(port: number) {
  const { lowest, highest } = portRange
  vi.spyOn(Math, 'random').mockReturnValueOnce((port - lowest + 0.5) / (highest - lowest))
}

it('does not return a port twice, even if nothing listens on it', async () => {
  const first = await freePort()
  tryFirst(first)
  expect(await freePort()).not.toBe(first)
})

it('does not return a port on which another program listens', async () => {
  const server = createServer()
  let taken = portRange.highest
  while (!server.listening)
    await new Promise((resolve) => {
      server.once('error', resolve)
      server.listen(--taken, '127.0.0.1', () => resolve(null))
    })
  tryFirst(taken)
  expect(await freePort()).not.toBe(taken)
  await new Promise((resolve) => server.close(resolve))
})

it.runIf(process.platform === 'linux')('uses a range below the ephemeral ports of outgoing connections', async () => {
  const range = await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8')
  expect(portRange.highest).toBeLessThanOrEqual(Number(range.split(/\s+/)[0]))
})
