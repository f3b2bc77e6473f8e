import { feedNames, positionExtension, resyncExtension } from '@hither/contract/feeds.ts'
import type { UserId } from '@hither/contract/ids.ts'
import { QueryClient } from '@tanstack/react-query'
import { expect, onTestFinished, test, vi } from 'vitest'
import { setBaseAddress } from '../api/base-address.ts'
import { startLive } from './live-client.ts'

type Frame = readonly [
  joinRef: string | null,
  ref: string | null,
  topic: string,
  event: string,
  payload: Record<string, unknown>,
]

const topic = 'realtime:changes'

/** A WebSocket whose server accepts every join. */
class AcceptingSocket {
  static readonly opened: AcceptingSocket[] = []
  readyState = 0
  onopen = () => {}
  onmessage: (message: { data: string }) => void = () => {}
  onclose: (event: { code: number }) => void = () => {}
  /** The join of the change feeds. */
  join: Frame | null = null

  constructor() {
    AcceptingSocket.opened.push(this)
    queueMicrotask(() => {
      this.readyState = 1
      this.onopen()
    })
  }

  send(text: string) {
    const frame: Frame = JSON.parse(text)
    const [joinRef, ref, joined, event, { config }] = frame
    if (event !== 'phx_join') return
    if (joined === topic) this.join = frame
    const { postgres_changes: asked = [] } = config as { postgres_changes?: object[] }
    const response = { postgres_changes: asked.map((binding, index) => ({ ...binding, id: index + 1 })) }
    this.#receive([joinRef, ref, joined, 'phx_reply', { status: 'ok', response }])
  }

  receiveResyncNotice() {
    this.#receiveSystem({ extension: resyncExtension })
  }

  receivePosition(position: string) {
    this.#receiveSystem({ extension: positionExtension, position })
  }

  receiveChange(commit_timestamp: string) {
    const table = 'circles'
    const data = { schema: 'public', table, type: 'INSERT', commit_timestamp, columns: [], record: {}, errors: null }
    this.#receive([null, null, topic, 'postgres_changes', { ids: [feedNames.indexOf(table) + 1], data }])
  }

  close() {
    this.readyState = 3
    this.onclose({ code: 1006 })
  }

  #receiveSystem(payload: Record<string, unknown>) {
    this.#receive([this.join?.[0] ?? null, null, topic, 'system', { status: 'ok', ...payload }])
  }

  #receive(frame: Frame) {
    this.onmessage({ data: JSON.stringify(frame) })
  }
}

/** Resolves when the client has joined on its connection with this index. */
async function joined(index: number): Promise<AcceptingSocket> {
  return vi.waitFor(() => {
    const socket = AcceptingSocket.opened[index]
    if (!socket?.join) throw new Error('not joined yet')
    return socket
  })
}

/** Starts the client and returns what it names as its position in the join with this index. */
function start() {
  vi.stubGlobal('WebSocket', AcceptingSocket)
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('document', new EventTarget())
  setBaseAddress('http://hither.test')
  AcceptingSocket.opened.length = 0
  const stop = startLive(new QueryClient(), 'ann' as UserId, () => {})
  onTestFinished(() => {
    stop()
    vi.unstubAllGlobals()
  })
}

const resumeOf = (socket: AcceptingSocket) => socket.join?.[4]['resume']

test('a join names the last change or position, whichever came later, and none before the first one', async () => {
  start()
  const first = await joined(0)
  expect(resumeOf(first)).toEqual({})
  first.receivePosition('zero')
  first.close()
  const second = await joined(1)
  expect(resumeOf(second)).toEqual({ after: 'zero' })
  second.receiveChange('one')
  second.close()
  const third = await joined(2)
  expect(resumeOf(third)).toEqual({ after: 'one' })
  third.receivePosition('two')
  third.close()
  expect(resumeOf(await joined(3))).toEqual({ after: 'two' })
})

test('a join after a notice to refetch names no position from before the notice', async () => {
  start()
  const first = await joined(0)
  first.receiveChange('one')
  first.receiveResyncNotice()
  first.close()
  const second = await joined(1)
  expect(resumeOf(second)).toEqual({})
  second.receiveResyncNotice()
  second.receivePosition('two')
  second.close()
  expect(resumeOf(await joined(2))).toEqual({ after: 'two' })
})
