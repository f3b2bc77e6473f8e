import type { Socket } from 'node:net'
import type { AuthSession } from '@hither/contract/auth/auth.ts'
import { feedNames, realtimePath } from '@hither/contract/feeds.ts'
import type { ConversationId } from '@hither/contract/ids.ts'
import { conversationTopic, typingEvent } from '@hither/contract/runtime/messages/messages.ts'
import { WebSocket } from 'ws'

/** A socket in a room. It only counts received bytes without parsing, so that the measuring process needs little CPU time. */
export interface Member {
  /** The number of bytes received since joining. */
  received(): number
  /** When the last bytes arrived, by `performance.now()`. */
  lastAt(): number
  /** Resolves with the arrival time of the next message. */
  next(): Promise<number>
  say(): void
  close(): void
}

/**
 * Joins a conversation as the app does. Its broadcasts are typing events. With `tables`, it receives the changes of all
 * tables instead of new messages only.
 */
export async function joinHither(
  url: string,
  { access_token, user }: AuthSession,
  room: string,
  tables?: 'all',
): Promise<Member> {
  const topic = `realtime:${conversationTopic(room as ConversationId)}`
  const webSocket = await open(addressOf(url))
  // The user has a member in other rooms, too, whose messages this one must not receive.
  const filter = `conversation_id=eq.${room}`
  const newMessages = [{ event: 'INSERT', schema: 'public', table: 'messages', filter }]
  await join(webSocket, topic, access_token, {
    broadcast: { ack: false, self: false },
    presence: { key: '', enabled: false },
    postgres_changes: tables ? feedNames.map((table) => ({ event: '*', schema: 'public', table })) : newMessages,
    private: false,
  })
  const payload = { type: 'broadcast', event: typingEvent, payload: { user_id: user.id, username: 'somebody' } }
  return memberOf(webSocket, () => webSocket.send(JSON.stringify(['1', null, topic, 'broadcast', payload])))
}

/** Joins `online-users`. The first `say` goes online, the second one offline, and so on. */
export async function joinPresence(url: string, { access_token, user }: AuthSession): Promise<Member> {
  const topic = 'realtime:online-users'
  const webSocket = await open(addressOf(url))
  await join(webSocket, topic, access_token, { presence: { key: user.id, enabled: true }, private: false })
  let isOnline = false
  return memberOf(webSocket, () => {
    isOnline = !isOnline
    const payload = { type: 'presence', event: isOnline ? 'track' : 'untrack', payload: { user_id: user.id } }
    webSocket.send(JSON.stringify(['1', '2', topic, 'presence', payload]))
  })
}

function addressOf(url: string): string {
  return `${url.replace('http', 'ws')}/api${realtimePath}/websocket?apikey=bench&vsn=2.0.0`
}

async function join(webSocket: WebSocket, topic: string, token: string, config: object): Promise<void> {
  webSocket.send(JSON.stringify(['1', '1', topic, 'phx_join', { config, access_token: token }]))
  await until(webSocket, (text) => {
    if (text.includes('"status":"error"')) throw new Error(`A join was refused: ${text}`)
    return text.includes('"system"')
  })
}

export async function joinBare(url: string, room: string): Promise<Member> {
  const webSocket = await open(url.replace('http', 'ws'))
  webSocket.send(room)
  await until(webSocket, () => true)
  return memberOf(webSocket, () => webSocket.send('x'.repeat(250)))
}

const signBytes = 60

function memberOf(webSocket: WebSocket, say: () => void): Member {
  const { _socket: socket } = webSocket as unknown as { _socket: Socket }
  let bytes = 0
  let lastAt = 0
  let isHere: ((at: number) => void) | null = null
  socket.removeAllListeners('data')
  socket.on('data', (data) => {
    bytes += data.length
    lastAt = performance.now()
    // Frames of the WebSocket heartbeat are shorter.
    if (data.length > signBytes) isHere?.(lastAt)
  })
  return {
    received: () => bytes,
    lastAt: () => lastAt,
    next: () =>
      new Promise((resolve) => {
        isHere = resolve
      }),
    say,
    close: () => socket.destroy(),
  }
}

function open(url: string): Promise<WebSocket> {
  const webSocket = new WebSocket(url, { perMessageDeflate: false })
  return new Promise((resolve, reject) => {
    webSocket.once('open', () => resolve(webSocket))
    webSocket.once('error', reject)
  })
}

function until(webSocket: WebSocket, isIt: (text: string) => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const handle = (data: Buffer) => {
      try {
        if (!isIt(String(data))) return
      } catch (error) {
        reject(error)
      }
      webSocket.off('message', handle)
      resolve()
    }
    webSocket.on('message', handle)
  })
}
