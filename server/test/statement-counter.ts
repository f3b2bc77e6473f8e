import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A proxy in front of PostgreSQL that counts what a server sends, without changes to the server. */
export interface StatementCounter {
  /** The address of the database through the proxy. */
  readonly url: string
  start(): void
  /** Returns the statements since `start`, without begin, commit and rollback, and the number of round trips. */
  stop(): { statements: string[]; roundTrips: number }
  close(): Promise<void>
}

export async function countStatements(databaseUrl: string): Promise<StatementCounter> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let statements: string[] = []
  let roundTrips = 0
  const proxy = createServer((client) => {
    const database = connect(Number(target.port), target.hostname)
    const read = readStatements((text) => statements.push(text))
    let isAsking = false
    client.on('data', (bytes) => {
      read(bytes)
      if (!isAsking) roundTrips++
      isAsking = true
      database.write(bytes)
    })
    database.on('data', (bytes) => {
      isAsking = false
      client.write(bytes)
    })
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(one)
      one.setNoDelay(true)
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((proxy.address() as { port: number }).port)
  return {
    url: url.href,
    start() {
      statements = []
      roundTrips = 0
    },
    stop: () => ({ statements: statements.filter((text) => !/^\s*(?:begin|commit|rollback)/i.test(text)), roundTrips }),
    async close() {
      for (const socket of sockets) socket.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}

/** Reads the messages of a client, PostgreSQL documentation, 54.7: `P` parses a statement, `B` binds it, `Q` is a simple query. */
function readStatements(record: (text: string) => void): (bytes: Buffer) => void {
  const texts = new Map<string, string>()
  let rest = Buffer.alloc(0)
  let isStarted = false
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    for (;;) {
      // The first message has no type.
      const head = isStarted ? 1 : 0
      if (rest.length < head + 4) return
      const end = head + rest.readUInt32BE(head)
      if (rest.length < end) return
      const type = isStarted ? String.fromCharCode(rest[0] ?? 0) : ''
      const [first = '', second = ''] = rest
        .subarray(head + 4, end)
        .toString('latin1')
        .split('\0', 2)
      if (type === 'P') texts.set(first, second)
      if (type === 'B') record(texts.get(second) ?? '')
      if (type === 'Q') record(first)
      isStarted = true
      rest = rest.subarray(end)
    }
  }
}
