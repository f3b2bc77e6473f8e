import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** One statement as it went to the database; values as text. */
export interface Heard {
  readonly text: string
  /** As the program declared them: 0 where it left it to the database. */
  readonly types: readonly number[]
  readonly values: readonly (string | null)[]
  /** Whether the database knew it by a name. */
  readonly isNamed: boolean
}

export interface Listening {
  /** Of the database that can be reached through this. */
  readonly url: string
  /** What goes by from now on. */
  start(): void
  /** What went by, and how often the program waited for an answer. */
  stop(): { statements: Heard[]; roundTrips: number }
  close(): Promise<void>
}

/** Stands between a program and its PostgreSQL, and hears what it is asked: so nobody has to say it of themselves. */
export async function tap(databaseUrl: string): Promise<Listening> {
  const target = new URL(databaseUrl)
  let heard: Heard[] = []
  let roundTrips = 0
  const sockets = new Set<Socket>()
  const server = createServer((program) => {
    const database = connect(Number(target.port), target.hostname)
    const listener = listenTo((statement) => heard.push(statement))
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
      heard = []
      roundTrips = 0
    },
    stop: () => ({ statements: heard, roundTrips }),
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The frontend's half of PostgreSQL's protocol (version 3), as far as it asks for something. */
function listenTo(tell: (statement: Heard) => void): (bytes: Buffer) => void {
  const known = new Map<string, Pick<Heard, 'text' | 'types' | 'isNamed'>>()
  let rest = Buffer.alloc(0)
  let isStarted = false
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    for (;;) {
      // The first message has no letter.
      const head = isStarted ? 1 : 0
      if (rest.length < head + 4) return
      const length = head + rest.readInt32BE(head)
      if (rest.length < length) return
      const message = reader(rest.subarray(head + 4, length))
      const letter = isStarted ? String.fromCharCode(rest[0] ?? 0) : ''
      isStarted = true
      rest = rest.subarray(length)
      if (letter === 'Q') tell({ text: message.text(), types: [], values: [], isNamed: false })
      if (letter === 'P') {
        const name = message.text()
        known.set(name, { text: message.text(), types: message.list(message.int32), isNamed: name !== '' })
      }
      if (letter === 'B') {
        message.text()
        const statement = known.get(message.text())
        message.list(message.int16)
        if (statement) tell({ ...statement, values: message.list(message.value) })
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
