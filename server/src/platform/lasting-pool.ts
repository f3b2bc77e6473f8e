import { type Pool } from './database.ts'
import { closed, transact, type Work } from './transactions.ts'

/** A pool in which nothing has gone wrong so far. */
interface Generation {
  readonly sql: Pool
  /** What fails the transactions that are under way. */
  readonly waiting: Set<(error: Error) => void>
  isLost: boolean
  giveUp(error: Error): void
}

/** What the library calls when a connection is gone that it did not close itself. */
export type Connect = (onLost: () => void) => Pool

/** How often a connection of its own asks whether the server is still there, and how long the answer may take. */
const watchEveryMs = 4000
const silentMs = 4000
/** Longer than the library waits before it connects. */
const lateMs = 2000

/**
 * A pool that outlives its connections. When one of them breaks, or the server stays silent, all of what waits on any of
 * them fails at once, and the next query begins anew with others. The library by itself would go on with the broken one: a
 * transaction that was cut off sends its rollback into nothing, which ends the process, or into the transaction of somebody
 * else who has been given the connection since; and what waits for a silent server waits for a quarter of an hour.
 */
export function createLastingPool(connect: Connect, watch: () => Pool): Pool {
  let generation: Generation | null = null
  let isEnded = false
  const current = () => {
    generation ??= open()
    return generation
  }

  function open(): Generation {
    const opened: Generation = {
      sql: connect(() => opened.giveUp(closed())),
      waiting: new Set(),
      isLost: false,
      giveUp(error) {
        if (opened.isLost || isEnded) return
        opened.isLost = true
        if (generation === opened) generation = null
        for (const fail of opened.waiting) fail(error)
        discard(opened.sql)
      },
    }
    return opened
  }

  const stopWatching = watchFor(watch, () => generation?.giveUp(closed()))

  function begin(...args: [string, Work] | [Work]): Promise<unknown> {
    const at = current()
    const [mode, work] = args.length === 1 ? ['', args[0]] : args
    return new Promise((resolve, reject) => {
      // Not by a race with one promise for all, which would keep each outcome for as long as that is open.
      at.waiting.add(reject)
      transact(at.sql, at, mode, work)
        .then(resolve, reject)
        .finally(() => at.waiting.delete(reject))
    })
  }

  async function end(options?: { timeout?: number }): Promise<void> {
    isEnded = true
    await Promise.all([stopWatching(), current().sql.end(options)])
  }

  return new Proxy(function pool() {} as unknown as Pool, {
    apply: (_target, _this, args) => Reflect.apply(current().sql, undefined, args),
    get: (_target, name) => {
      if (name === 'begin') return begin
      if (name === 'end') return end
      return Reflect.get(current().sql, name)
    },
  })
}

/** What the library has besides, and leaves out of its types. */
interface Closable {
  close(): Promise<void>
}

/** Once is not enough: what was about to connect does so all the same. */
function discard(sql: Pool): void {
  sql.end({ timeout: 0 }).catch(() => undefined)
  setTimeout(() => (sql as unknown as Closable).close().catch(() => undefined), lateMs).unref()
}

/** Tells when the server has stayed silent for too long. What is slow there does not matter: others get their answers. */
function watchFor(open: () => Pool, onSilence: () => void): () => Promise<void> {
  let watch: Pool | null = null
  let timer = setTimeout(look, watchEveryMs).unref()
  let isStopped = false

  async function look() {
    watch ??= open()
    const asked = watch
    const answer = asked`select 1`.then(
      () => 'answered' as const,
      () => 'failed' as const,
    )
    let silence: NodeJS.Timeout | undefined
    const silent = new Promise<'silent'>((resolve) => {
      silence = setTimeout(resolve, silentMs, 'silent' as const).unref()
    })
    const outcome = await Promise.race([answer, silent])
    clearTimeout(silence)
    if (isStopped) return
    if (outcome !== 'answered') {
      watch = null
      discard(asked)
    }
    // An error of its own, as that of a server with too many connections, says nothing of the others.
    if (outcome === 'silent') onSilence()
    timer = setTimeout(look, watchEveryMs).unref()
  }

  return async () => {
    isStopped = true
    clearTimeout(timer)
    await watch?.end({ timeout: 0 })
  }
}
