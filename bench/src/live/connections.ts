import type { AuthSession } from '@hither/contract/auth/auth.ts'
import { feedNames, realtimePath } from '@hither/contract/feeds.ts'
import { WebSocket } from 'ws'

/** The join timeout of the official client, after which it retries. */
const joinWithinMs = 10_000
const againAfterMs = 1000

/**
 * Joins the feed of responses that this user may see. Retries after a second if the join is refused; without `onRefused` it
 * rejects.
 */
export async function openOneChannel(url: string, session: AuthSession, onRefused?: () => void): Promise<WebSocket> {
  const socket = connect(url)
  const config = configOf([{ event: '*', schema: 'public', table: 'ping_responses' }])
  await join(socket, 'realtime:changes', { config, access_token: session.access_token }, onRefused)
  return socket
}

/** Joins both channels of the web app, and goes online. */
export async function openAsWebApp(url: string, { access_token, user }: AuthSession): Promise<WebSocket> {
  const socket = connect(url)
  const config = configOf(feedNames.map((table) => ({ event: '*', schema: 'public', table })))
  await join(socket, 'realtime:changes', { config, access_token, resume: {} })
  const online = { ...configOf([]), presence: { key: user.id, enabled: true } }
  await join(socket, 'realtime:online-users', { config: online, access_token })
  const track = { type: 'presence', event: 'track', payload: { user_id: user.id } }
  const tracked = until(socket, ([, ref]) => ref === '2')
  socket.send(JSON.stringify(['1', '2', 'realtime:online-users', 'presence', track]))
  await tracked
  return socket
}

function configOf(bindings: readonly object[]) {
  return {
    broadcast: { ack: false, self: false },
    presence: { key: '', enabled: false },
    postgres_changes: bindings,
    private: false,
  }
}

function connect(url: string): WebSocket {
  const address = `${url.replace('http', 'ws')}/api${realtimePath}/websocket?apikey=bench&vsn=2.0.0`
  return new WebSocket(address, { perMessageDeflate: false })
}

async function join(socket: WebSocket, topic: string, payload: object, onRefused?: () => void): Promise<void> {
  if (socket.readyState === WebSocket.CONNECTING)
    await new Promise((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', reject)
    })
  for (;;) {
    // The system event confirms the subscription.
    const decided = until(
      socket,
      ([, , of, event, { status }]) => of === topic && (event === 'system' || status === 'error'),
    )
    socket.send(JSON.stringify(['1', '1', topic, 'phx_join', payload]))
    const [, , , event, reply] = await decided
    if (event === 'system') return
    if (!onRefused) throw new Error(`A join was refused: ${JSON.stringify(reply)}`)
    onRefused()
    await new Promise((resolve) => setTimeout(resolve, againAfterMs))
  }
}

type TextFrame = [joinRef: unknown, ref: unknown, topic: string, event: string, payload: { status?: string }]

function until(socket: WebSocket, isIt: (frame: TextFrame) => boolean): Promise<TextFrame> {
  return new Promise((resolve, reject) => {
    const deadline = setTimeout(() => reject(new Error('A join was not answered')), joinWithinMs)
    const handle = (data: Buffer) => {
      const frame = JSON.parse(String(data)) as TextFrame
      if (!isIt(frame)) return
      clearTimeout(deadline)
      socket.off('message', handle)
      resolve(frame)
    }
    socket.on('message', handle)
  })
}
