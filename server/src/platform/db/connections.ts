import type { Socket } from 'node:net'
import pg from 'pg'
import { isOutdated } from '../errors/dependency-errors.ts'
import type { Rows } from './sql.ts'
import { type Connection, connectionLost } from './transactions.ts'

/** The name of each statement on every connection, by its text. The program has a fixed number of texts. */
const names = new Map<string, string>()

function nameOf(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    name = `s${names.size}`
    names.set(text, name)
  }
  return name
}

/**
 * A connection of the pool, until it is released. A broken or outdated one is destroyed instead. `onError` receives the
 * errors of statements.
 */
export function connectionOf(
  client: pg.PoolClient,
  giveBack: (destroy: boolean) => void,
  socket: Socket | undefined,
  onError: (error: Error) => void,
): Connection {
  let isLost = false
  let isOld = false
  let isReleased = false
  let isCorked = false

  function release(isClean = true) {
    if (isReleased) return
    isReleased = true
    client.off('error', lose)
    const isReusable = isClean && !isLost && !isOld
    giveBack(!isReusable)
    // The driver would wait for the results in progress, and a silent server sends none.
    if (!isReusable) socket?.destroySoon()
  }
  function lose() {
    isLost = true
    release()
  }
  client.on('error', lose)

  /** Statements of the same event-loop tick are sent in one write. */
  function cork() {
    if (isCorked || !socket) return
    isCorked = true
    socket.cork()
    setImmediate(() => {
      isCorked = false
      socket.uncork()
    })
  }

  return {
    isLost: () => isLost,
    release,
    send({ text, values, isPrepared }) {
      cork()
      const config: pg.QueryConfig = { text, values: values as unknown[] }
      if (isPrepared) config.name = nameOf(text)
      return new Promise<Rows>((resolve, reject) => {
        client.query(config, (error: Error | null, result: pg.QueryResult | pg.QueryResult[]) => {
          if (!error) return resolve(rowsOf(result))
          onError(error)
          if (isOutdated(error)) isOld = true
          reject(isLost && !(error instanceof pg.DatabaseError) ? connectionLost(error) : error)
        })
      })
    },
  }
}

/** If a text has several statements, returns the rows of the last one. */
function rowsOf(result: pg.QueryResult | pg.QueryResult[]): Rows {
  const { rows, rowCount, command } = Array.isArray(result) ? (result.at(-1) as pg.QueryResult) : result
  // Not enumerable, so that a response to a client contains only the rows.
  return Object.defineProperties(rows, { count: { value: rowCount ?? 0 }, command: { value: command } }) as Rows
}
