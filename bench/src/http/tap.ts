import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** One statement as sent to the database, with its values as text. */
export interface RecordedStatement {
  readonly text: string
  /** The declared parameter type ids; 0 if the database infers the type. */
  readonly types: readonly number[]
  readonly values: readonly (string | null)[]
  /** Whether it is a named prepared statement. */
  readonly isNamed: boolean
}

export interface Listening {
  /** The address of the database through the proxy. */
  readonly url: string
  /** Starts recording. */
  start(): void
  /** Stops recording. Returns the statements and the number of round trips. */
  stop(): { statements: RecordedStatement[]; roundTrips: number }
  close(): Promise<void>
}

/** Starts a proxy in front of PostgreSQL that records the statements of a program, without changes to the program. */
export async function tap(databaseUrl: string): Promise<Listening> {
  const target = new URL(databaseUrl)
  let recorded: RecordedStatement[] = []
  let roundTrips = 0
  const sockets = new Set<Socket>()
  const server = createServer((program) => {
    const database = connect(Number(target.port), target.hostname)
    const listener = listenTo((statement) => recorded.push(statement))
    let isAsking = false
    program.on('data', (bytes) => {
      listener(bytes)
      if (!isAsking) roundTrips++
      isAsking = true
      database.write(bytes)
    })
    database.on('data', (bytes) => {
      isAsking = false
      program.write(bytes)
    })
    for (const [one, other] of [
      [program, database],
      [database, program],
    ] as const) {
      sockets.add(one)
      one.setNoDelay(true)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.port = String((server.address() as { port: number }).port)
  return {
    url: url.href,
    start() {
      recorded = []
      roundTrips = 0
    },
    stop: () => ({ statements: recorded, roundTrips }),
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Parses the query messages of the frontend in PostgreSQL's protocol (version 3). */
function listenTo(record: (statement: RecordedStatement) => void): (bytes: Buffer) => void {
  const known = new Map<string, Pick<RecordedStatement, 'text' | 'types' | 'isNamed'>>()
  let rest = Buffer.alloc(0)
  let isStarted = false
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    for (;;) {
      // The startup message has no type byte.
      const head = isStarted ? 1 : 0
      if (rest.length < head + 4) return
      const length = head + rest.readInt32BE(head)
      if (rest.length < length) return
      const message = reader(rest.subarray(head + 4, length))
      const letter = isStarted ? String.fromCharCode(rest[0] ?? 0) : ''
      isStarted = true
      rest = rest.subarray(length)
      if (letter === 'Q') record({ text: message.text(), types: [], values: [], isNamed: false })
      if (letter === 'P') {
        const name = message.text()
        known.set(name, { text: message.text(), types: message.list(message.int32), isNamed: name !== '' })
      }
      if (letter === 'B') {
        message.text()
        const statement = known.get(message.text())
        message.list(message.int16)
        if (statement) record({ ...statement, values: message.list(message.value) })
      }
    }
  }
}

function reader(bytes: Buffer) {
  let at = 0
  const take = (length: number) => {
    at += length
    return bytes.subarray(at - length, at)
  }
  const int16 = () => take(2).readInt16BE()
  const int32 = () => take(4).readInt32BE()
  return {
    int16,
    int32,
    text() {
      const text = take(bytes.indexOf(0, at) - at).toString()
      take(1)
      return text
    },
    value() {
      const length = int32()
      return length < 0 ? null : take(length).toString()
    },
    list<T>(read: () => T): T[] {
      return Array.from({ length: int16() }, read)
    },
  }
}
