import { feedNames, resyncExtension } from '@hither/contract/feeds.ts'
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
    this.#receive([this.join?.[0] ?? null, null, topic, 'system', { extension: resyncExtension, status: 'ok' }])
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

test('a join sends the last change since the latest resync notice, and none before that change', async () => {
  vi.stubGlobal('WebSocket', AcceptingSocket)
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('document', new EventTarget())
  setBaseAddress('http://hither.test')
  const stop = startLive(new QueryClient(), 'ann' as UserId, () => {})
  onTestFinished(() => {
    stop()
    vi.unstubAllGlobals()
  })
  const first = await joined(0)
  expect(first.join?.[4]).toMatchObject({ resume: { after: null } })
  first.receiveChange('one')
  first.close()
  const second = await joined(1)
  expect(second.join?.[4]).toMatchObject({ resume: { after: 'one' } })
  second.receiveResyncNotice()
  second.close()
  const third = await joined(2)
  expect(third.join?.[4]['resume']).toEqual({})
})
