import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { User } from '@hither/contract/users.ts'
import { QueryClient } from '@tanstack/react-query'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { setBaseAddress } from '../../api/base-address.ts'
import { clearStoredSession, storeTokens, storeUser } from '../../api/stored-session.ts'
import { clearPersistentQueues } from '../../outbox/persistent-queue.ts'
import type { Sender } from '../../outbox/sender.ts'
import { startSession } from '../../session/session.ts'
import { ann, at, cafe, messageFrom } from '../harness.ts'
import { putPhotoIntoOutbox, retryPhoto } from './photo-outbox.ts'
import { waitingPhotos } from './photo-queue.ts'
import { startPhotoWork } from './photo-work.ts'

interface Sent {
  client_id: string
  photo_id: string
  content?: string
  reply_to_id?: string
}

let server: Server
let uploads: string[]
let sent: Sent[]
/** The status of the next upload and of the next message; null breaks the connection. */
let uploadStatus: number
let sendStatus: (sent: Sent) => number | null
/** Why a message gets 422. */
let unavailable: 'photo_unavailable' | 'reply_to_unavailable'
let sender: Sender

beforeAll(async () => {
  vi.stubGlobal('XMLHttpRequest', FetchedRequest)
  server = createServer(async (request, response) => {
    const body = await text(request)
    const reply = (status: number, json: unknown) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(json))
    if (request.url?.endsWith('/photos')) {
      uploads.push(/bytes of \w+/.exec(body)?.[0] ?? '')
      if (uploadStatus !== 201) return reply(uploadStatus, { detail: 'Please select an image file' })
      return reply(201, { photo_id: `photo ${uploads.length}`, width: 4, height: 3, expires_at: at(60) })
    }
    const message: Sent = JSON.parse(body)
    sent.push(message)
    const status = sendStatus(message)
    if (status === null) return request.socket.destroy()
    const detail = [{ loc: ['body'], msg: 'No longer available', type: unavailable }]
    return reply(status, status === 422 ? { detail } : { message: messageFrom(ann, sent.length) })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  setBaseAddress(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  startSession()
})

afterAll(() => {
  vi.unstubAllGlobals()
  return new Promise((resolve) => server.close(resolve))
})

beforeEach(() => {
  uploads = []
  sent = []
  uploadStatus = 201
  sendStatus = () => 201
  unavailable = 'photo_unavailable'
  storeTokens({ access_token: 'a', refresh_token: 'r', expires_at: 2 ** 31 })
  storeUser({ id: ann, username: 'ann' } as User)
  sender = startPhotoWork(new QueryClient(), ann)
})

afterEach(async () => {
  sender.stop()
  clearStoredSession()
  await clearPersistentQueues({})
})

test('photos are uploaded and sent in order, each with its caption and its quote', async () => {
  await choose('one', { content: 'Sunset' })
  await choose('two', { reply_to: quote })
  await vi.waitFor(() => expect(waitingPhotos.items()).toEqual([]))
  expect(uploads).toEqual(['bytes of one', 'bytes of two'])
  expect(sent).toEqual([
    { conversation_id: cafe, client_id: 'one', photo_id: 'photo 1', content: 'Sunset' },
    { conversation_id: cafe, client_id: 'two', photo_id: 'photo 2', reply_to_id: 'm1' },
  ])
})

test('a photo whose message had no response is sent again with the same upload, also after a restart', async () => {
  sendStatus = () => null
  await choose('one')
  await vi.waitFor(() => expect(sent).toHaveLength(1))
  sender.stop()
  sendStatus = () => 200
  sender = startPhotoWork(new QueryClient(), ann)
  await vi.waitFor(() => expect(waitingPhotos.items()).toEqual([]))
  expect(uploads).toHaveLength(1)
  expect(new Set(sent.map(({ client_id, photo_id }) => `${client_id} ${photo_id}`))).toEqual(new Set(['one photo 1']))
})

test('a photo whose upload has expired is uploaded again, once', async () => {
  await putPhotoIntoOutbox(ann, { ...item('one'), photo: { ...item('one').photo, photo_id: 'yesterday' } })
  sendStatus = ({ photo_id }) => (photo_id === 'yesterday' ? 422 : 201)
  await vi.waitFor(() => expect(waitingPhotos.items()).toEqual([]))
  expect(sent.map(({ photo_id }) => photo_id)).toEqual(['yesterday', 'photo 1'])

  sendStatus = () => 422
  await choose('two')
  await vi.waitFor(() =>
    expect(waitingPhotos.items()).toMatchObject([{ state: 'failed', reason: 'No longer available' }]),
  )
  expect(uploads).toHaveLength(2)
})

test('a photo that replies to a deleted message is sent without the reply by a retry', async () => {
  unavailable = 'reply_to_unavailable'
  sendStatus = ({ reply_to_id }) => (reply_to_id === undefined ? 201 : 422)
  await choose('one', { reply_to: quote })
  await vi.waitFor(() =>
    expect(waitingPhotos.items()).toMatchObject([{ state: 'failed', reason: 'No longer available' }]),
  )
  await retryPhoto(ann, 'one')
  await vi.waitFor(() => expect(waitingPhotos.items()).toEqual([]))
  expect(sent.map(({ photo_id, reply_to_id }) => [photo_id, reply_to_id])).toEqual([
    ['photo 1', 'm1'],
    ['photo 1', undefined],
  ])
})

test('a refused photo keeps its file for a retry and does not hold up the next one', async () => {
  uploadStatus = 415
  await choose('one')
  await vi.waitFor(() => expect(waitingPhotos.items()).toMatchObject([{ state: 'failed' }]))
  expect(waitingPhotos.items()[0]).toMatchObject({ reason: 'Please select an image file' })
  uploadStatus = 201
  await choose('two')
  await vi.waitFor(() => expect(waitingPhotos.items()).toHaveLength(1))
  await retryPhoto(ann, 'one')
  await vi.waitFor(() => expect(waitingPhotos.items()).toEqual([]))
  expect(uploads).toEqual(['bytes of one', 'bytes of two', 'bytes of one'])
})

const quote = {
  id: messageFrom(ann, 1).id,
  seq: 1,
  sender_id: ann,
  sender_username: 'ann',
  kind: 'text',
  excerpt: 'message 1',
} as const

function item(client_id: string) {
  return {
    client_id,
    conversation_id: cafe,
    content: '',
    created_at: at(1),
    state: 'waiting' as const,
    photo: { file: new Blob([`bytes of ${client_id}`]), width: 4, height: 3, photo_id: null as string | null },
  }
}

function choose(client_id: string, more: object = {}) {
  return putPhotoIntoOutbox(ann, { ...item(client_id), ...more })
}

/** As much of XMLHttpRequest as an upload uses, because Node has only `fetch`. */
class FetchedRequest {
  readonly upload: { onprogress?: unknown } = {}
  status = 0
  statusText = ''
  responseText = ''
  onload = () => {}
  onerror = () => {}
  private method = ''
  private url = ''
  private readonly headers: Record<string, string> = {}

  open(method: string, url: string) {
    this.method = method
    this.url = url
  }

  setRequestHeader(name: string, value: string) {
    this.headers[name] = value
  }

  getResponseHeader() {
    return null
  }

  abort() {}

  send(body: FormData) {
    fetch(this.url, { method: this.method, headers: this.headers, body })
      .then(async (response) => {
        this.status = response.status
        this.responseText = await response.text()
        this.onload()
      })
      .catch(() => this.onerror())
  }
}
