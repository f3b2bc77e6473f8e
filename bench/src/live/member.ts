import { type Socket } from 'node:net'
import { realtimePath } from '@hither/contract/feeds.ts'
import { type ConversationId } from '@hither/contract/ids.ts'
import { conversationTopic, typingEvent } from '@hither/contract/messages.ts'
import { WebSocket } from 'ws'

/** A socket in a room. What it gets is counted by the byte and not looked at, so that whoever measures costs little. */
export interface Member {
  /** Bytes that have come since it joined. */
  received(): number
  /** When, by `performance.now()`, the last of them came. */
  lastAt(): number
  /** When the next message has come. */
  next(): Promise<number>
  say(): void
  close(): void
}

/** As the app joins a conversation. What it says is what the app says while somebody types. */
export async function joinHither(url: string, token: string, userId: string, room: string): Promise<Member> {
  const topic = `realtime:${conversationTopic(room as ConversationId)}`
  const webSocket = await open(`${url.replace('http', 'ws')}/api${realtimePath}/websocket?apikey=bench&vsn=2.0.0`)
  const config = {
    broadcast: { ack: false, self: false },
    presence: { key: '' },
    postgres_changes: [{ event: 'INSERT', schema: 'public', table: 'messages' }],
    private: false,
  }
  webSocket.send(JSON.stringify(['1', '1', topic, 'phx_join', { config, access_token: token }]))
  await until(webSocket, (text) => {
    if (text.includes('"status":"error"')) throw new Error(`A join was refused: ${text}`)
    return text.includes('"system"')
  })
  const payload = { type: 'broadcast', event: typingEvent, payload: { user_id: userId, username: 'somebody' } }
  return memberOf(webSocket, JSON.stringify(['1', null, topic, 'broadcast', payload]))
}

export async function joinBare(url: string, room: string): Promise<Member> {
  const webSocket = await open(url.replace('http', 'ws'))
  webSocket.send(room)
  await until(webSocket, () => true)
  return memberOf(webSocket, 'x'.repeat(250))
}

const signBytes = 60

function memberOf(webSocket: WebSocket, words: string): Member {
  const { _socket: socket } = webSocket as unknown as { _socket: Socket }
  let bytes = 0
  let lastAt = 0
  let isHere: ((at: number) => void) | null = null
  socket.removeAllListeners('data')
  socket.on('data', (data) => {
    bytes += data.length
    lastAt = performance.now()
    // A sign of life of the WebSocket is shorter.
    if (data.length > signBytes) isHere?.(lastAt)
  })
  return {
    received: () => bytes,
    lastAt: () => lastAt,
    next: () =>
      new Promise((resolve) => {
        isHere = resolve
      }),
    say: () => webSocket.send(words),
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
