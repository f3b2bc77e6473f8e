import { Socket } from 'node:net'
import pg from 'pg'

/** How often the watch checks whether the server answers, and how long the answer may take. */
const everyMs = 4000
const silentMs = 4000

/**
 * Calls `onSilence` if the server does not answer in time. It uses its own connection, so that a slow statement does
 * not matter. An error, such as that of a server with too many connections, does not count either. Returns the function
 * that stops it.
 */
export function watch(settings: pg.ClientConfig, onSilence: () => void): () => void {
  let client: pg.Client | null = null
  let socket: Socket | null = null
  let isStopped = false
  let timer = setTimeout(look, everyMs).unref()

  async function ask(): Promise<void> {
    if (!client) {
      const own = new Socket()
      socket = own
      client = new pg.Client({ ...settings, application_name: 'hither watch', stream: () => own })
      client.on('error', () => undefined)
      await client.connect()
    }
    await client.query('select 1')
  }

  function drop() {
    socket?.destroy()
    client = null
    socket = null
  }

  async function look(): Promise<void> {
    const silence = setTimeout(() => {
      drop()
      onSilence()
    }, silentMs).unref()
    try {
      await ask()
    } catch {
      drop()
    } finally {
      clearTimeout(silence)
      if (!isStopped) timer = setTimeout(look, everyMs).unref()
    }
  }

  return () => {
    isStopped = true
    clearTimeout(timer)
    drop()
  }
}
