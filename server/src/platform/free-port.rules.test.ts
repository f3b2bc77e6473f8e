import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { freePort, portRange } from '../../test/free-port.ts'

afterEach(() => vi.restoreAllMocks())

/** Makes the next attempt of `freePort` try this port. */
function tryFirst(port: number) {
  const { lowest, highest } = portRange
  vi.spyOn(Math, 'random').mockReturnValueOnce((port - lowest + 0.5) / (highest - lowest))
}

it('a port that was handed out is not handed out again while nobody listens on it', async () => {
  const first = await freePort()
  tryFirst(first)
  expect(await freePort()).not.toBe(first)
})

it('a port on which another program listens is not handed out', async () => {
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

it.runIf(process.platform === 'linux')('the range has no port that an outgoing connection is given', async () => {
  const range = await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8')
  expect(portRange.highest).toBeLessThanOrEqual(Number(range.split(/\s+/)[0]))
})
