import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createDataFolders, type DataFolders } from '../data-folder.ts'
import { openFaultyProxy } from '../faulty-proxy.ts'
import { taggedPicture } from '../pictures.ts'
import { type ServerProcess, type ServerReply, startProcess } from '../server-process.ts'

// The server commits, and is killed before its reply arrives. After a restart the client repeats the call.

let folders: DataFolders
let running: ServerProcess | undefined

beforeAll(async () => {
  folders = await createDataFolders()
})
afterAll(() => folders.remove())
afterEach(() => running?.end('SIGKILL'))

interface Call {
  readonly path: string
  readonly body: object
  readonly token?: string
}

async function start(folder: string): Promise<ServerProcess> {
  running = await startProcess({ DATA_DIR: folder })
  return running
}

/** Sends a call, drops its successful reply and kills the server. Resolves with the server after its restart. */
async function loseReply(server: ServerProcess, folder: string, { path, body, token }: Call): Promise<ServerProcess> {
  const proxy = await openFaultyProxy(Number(new URL(server.url).port))
  try {
    proxy.dropResponse('HTTP/1.1 20')
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const url = `http://127.0.0.1:${proxy.port}${path}`
    const reply = fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    await expect(reply).rejects.toThrow('fetch failed')
  } finally {
    await server.end('SIGKILL')
    await proxy.close()
  }
  return start(folder)
}

const repeat = (server: ServerProcess, { path, body, token }: Call): Promise<ServerReply> =>
  server.call('POST', path, body, token)

async function signUp(server: ServerProcess, username: string): Promise<string> {
  const account = { email: `${username}@example.org`, password: 'correct horse', username }
  return String((await server.call('POST', '/api/auth/signup', account)).body['access_token'])
}

test('the use of a friend link that is repeated after a crash has the same reply, one friendship and one counted use', async () => {
  const folder = await folders.make()
  const server = await start(folder)
  const [ann, bob] = [await signUp(server, 'ann'), await signUp(server, 'bob')]
  const link = (await server.call('POST', '/api/friends/links', { kind: 'link' }, ann)).body
  const use = { path: '/api/friends/links/accept', body: { code: String(link['url']).split('#')[1] }, token: bob }

  const restarted = await loseReply(server, folder, use)
  const friends = async (token: string) => (await restarted.call('GET', '/api/friends/', undefined, token)).body
  expect(await friends(ann)).toMatchObject([{ username: 'bob' }])
  expect(await repeat(restarted, use)).toMatchObject({ status: 200, body: { status: 'accepted', username: 'ann' } })
  expect(await friends(ann)).toMatchObject([{ username: 'bob' }])
  expect(await friends(bob)).toMatchObject([{ username: 'ann' }])
  const links = (await restarted.call('GET', '/api/friends/links', undefined, ann)).body
  expect(links).toMatchObject([{ uses_left: 0, used_by: [{ username: 'bob' }] }])
})

test('the response of a guest that is repeated after a crash finds the same guest', async () => {
  const folder = await folders.make()
  const server = await start(folder)
  const ann = await signUp(server, 'ann')
  const place = { name: 'Coffee', latitude: 1, longitude: 2, is_public: true, guest_policy: 'open' }
  const { id } = (await server.call('POST', '/api/pings/', place, ann)).body
  const token = randomBytes(32).toString('base64url')
  const response = { path: `/api/pings/${id}/guests`, body: { token, name: 'Mia', response_type: 'accepted' } }

  const restarted = await loseReply(server, folder, response)
  const guests = async () => (await restarted.call('GET', `/api/pings/${id}`, undefined, ann)).body['guests']
  const stored = await guests()
  expect(stored).toMatchObject([{ name: 'Mia', response_type: 'accepted', state: 'approved' }])
  const repeated = await repeat(restarted, response)
  expect([repeated.status, [repeated.body['guest']]]).toEqual([200, stored])
  expect(await guests()).toEqual(stored)
})

test('a message with a photo that is repeated after a crash is the same message with one photo', async () => {
  const folder = await folders.make()
  const server = await start(folder)
  const [ann, bob] = [await signUp(server, 'ann'), await signUp(server, 'bob')]
  const link = (await server.call('POST', '/api/friends/links', { kind: 'link' }, ann)).body
  await server.call('POST', '/api/friends/links/accept', { code: String(link['url']).split('#')[1] }, bob)
  const friends = (await server.call('GET', '/api/friends/', undefined, ann)).body as unknown as { user_id: string }[]
  const participant_ids = friends.map(({ user_id }) => user_id)
  const chat = (await server.call('POST', '/api/messages/conversations/', { participant_ids }, ann)).body
  const photos = `/api/messages/conversations/${chat['id']}/photos`
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(await taggedPicture('jpeg'))]), 'me.jpg')
  const headers = { authorization: `Bearer ${ann}` }
  const uploaded = await fetch(`${server.url}${photos}`, { method: 'POST', body: form, headers })
  const { photo_id } = (await uploaded.json()) as { photo_id: string }
  const body = { conversation_id: chat['id'], photo_id, client_id: randomUUID() }
  const send = { path: '/api/messages/send', body, token: ann }

  const restarted = await loseReply(server, folder, send)
  const page = async () => {
    const details = (await restarted.call('GET', `/api/messages/conversations/${chat['id']}`, undefined, bob)).body
    return (details['message_details'] as { messages: { id: string }[] }).messages
  }
  const stored = await page()
  expect(stored).toMatchObject([{ content: '📷 Photo', attachment: { type: 'photo', width: 600, height: 400 } }])
  expect(await repeat(restarted, send)).toMatchObject({ status: 200, body: { message: { id: stored[0]?.id } } })
  expect(await page()).toHaveLength(1)
  const photo = await fetch(`${restarted.url}/api/files/message-photo/${stored[0]?.id}`, { headers })
  expect(photo.status).toBe(200)
})

test('a ping for a circle that is repeated after a crash is the same ping, with one announcement', async () => {
  const folder = await folders.make()
  const server = await start(folder)
  const [ann, bob] = [await signUp(server, 'ann'), await signUp(server, 'bob')]
  const link = (await server.call('POST', '/api/friends/links', { kind: 'link' }, ann)).body
  await server.call('POST', '/api/friends/links/accept', { code: String(link['url']).split('#')[1] }, bob)
  const bobId = String((await server.call('GET', '/api/users/me', undefined, bob)).body['id'])
  const circle = (await server.call('POST', '/api/circles', { name: 'Work', member_ids: [bobId] }, ann)).body
  const audience = { circle_ids: [circle['id']], recipient_ids: [], client_id: crypto.randomUUID() }
  const ping = { path: '/api/pings/', body: { name: 'Coffee', latitude: 1, longitude: 2, ...audience }, token: ann }

  const restarted = await loseReply(server, folder, ping)
  const pings = async (token: string) => (await restarted.call('GET', '/api/pings/', undefined, token)).body
  const [stored] = (await pings(ann)) as unknown as { id: string; updated_at: string }[]
  // A change of the circle does not change the ping that exists.
  await restarted.call('PATCH', `/api/circles/${circle['id']}`, { name: 'Band' }, ann)
  const repeated = await repeat(restarted, ping)
  expect(repeated).toMatchObject({ status: 200, body: { id: stored?.id, updated_at: stored?.updated_at } })
  expect(repeated.body['recipients']).toMatchObject([{ recipient_username: 'bob' }])
  expect(await pings(bob)).toMatchObject([{ id: stored?.id }])
  expect(await pings(ann)).toHaveLength(1)
})
