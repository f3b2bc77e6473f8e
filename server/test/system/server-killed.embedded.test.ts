import type { OwnPing, Ping } from '@hither/contract/pings.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDataFolders, type DataFolders } from '../data-folder.ts'
import { type ServerProcess, startProcess } from '../server-process.ts'

let folders: DataFolders
let folder: string
let running: ServerProcess[]

beforeAll(async () => {
  folders = await createDataFolders()
})
afterAll(() => folders.remove())

beforeEach(async () => {
  folder = await folders.make()
  running = []
})

afterEach(async () => {
  for (const server of running) await server.end('SIGKILL')
})

async function start(): Promise<ServerProcess> {
  const server = await startProcess({ DATA_DIR: folder })
  running.push(server)
  return server
}

test('every acknowledged ping exists after the server was killed repeatedly during writes', async () => {
  const acknowledged: unknown[] = []
  let token: string | undefined
  for (let round = 0; round < 3; round++) {
    const server = await start()
    const account = { email: 'ann@example.org', password: 'correct horse', username: 'ann' }
    token ??= String((await server.call('POST', '/api/auth/signup', account)).body['access_token'])
    const killed = acknowledged.length + 6
    // Several concurrent writers, so that the kill interrupts some of their calls.
    const writers = Array.from({ length: 4 }, async () => {
      for (;;) {
        const place = { name: 'Here', latitude: 1, longitude: 2, is_public: true }
        const response = await server.call('POST', '/api/pings/', place, token).catch(() => null)
        if (response?.status !== 201) return
        acknowledged.push(response.body['id'])
        if (acknowledged.length === killed) server.child.kill('SIGKILL')
      }
    })
    await Promise.all(writers)
  }
  const server = await start()
  const mine = (await server.call('GET', '/api/pings/my-pings', undefined, token)).body as unknown as Ping[]
  expect(mine.map((ping) => ping.id)).toEqual(expect.arrayContaining(acknowledged))
  expect(acknowledged.length).toBeGreaterThanOrEqual(18)
  expect(await server.end('SIGTERM')).toBe(0)
})

test('every change of a ping is complete or absent after the server was killed repeatedly during changes', async () => {
  let server = await start()
  const account = { email: 'ann@example.org', password: 'correct horse', username: 'ann' }
  const token = String((await server.call('POST', '/api/auth/signup', account)).body['access_token'])
  const activates_at = new Date(Date.now() + 3_600_000).toISOString()
  const place = { name: 'Here', latitude: 0, longitude: 0, is_public: true, activates_at }
  const id = (await server.call('POST', '/api/pings/', place, token)).body['id']
  let changes = 0
  let acknowledged = 0
  for (let round = 0; round < 3; round++) {
    if (round > 0) server = await start()
    const killed = acknowledged + 6
    const writers = Array.from({ length: 4 }, async () => {
      for (;;) {
        const number = ++changes
        const change = { name: `Pin ${number}`, latitude: number / 1000, longitude: number / 1000 }
        const response = await server.call('PATCH', `/api/pings/${id}`, change, token).catch(() => null)
        if (response?.status !== 200) return
        if (++acknowledged === killed) server.child.kill('SIGKILL')
      }
    })
    await Promise.all(writers)
  }
  server = await start()
  const [ping] = (await server.call('GET', '/api/pings/my-pings', undefined, token)).body as unknown as Ping[]
  expect(ping?.revision).toBeGreaterThanOrEqual(acknowledged)
  expect(ping?.place_revision).toBe(ping?.revision)
  expect(ping?.name).toBe(`Pin ${Math.round((ping?.latitude ?? 0) * 1000)}`)
  expect(await server.end('SIGTERM')).toBe(0)
})

test('an invitation, a removal and a cancellation are complete or absent after the server was killed during them', async () => {
  let server = await start()
  const signUp = async (username: string) => {
    const account = { email: `${username}@example.org`, password: 'correct horse', username }
    const { access_token, user } = (await server.call('POST', '/api/auth/signup', account)).body
    return { token: String(access_token), id: (user as { id: string }).id }
  }
  const [{ token }, { token: bobToken, id: bobId }] = [await signUp('ann'), await signUp('bob')]
  const request = await server.call('POST', '/api/friends/request', { username: 'bob' }, token)
  const accepted = await server.call(
    'PATCH',
    `/api/friends/${request.body['id']}/respond`,
    { action: 'accepted' },
    bobToken,
  )
  expect(accepted.status).toBe(200)
  const place = { name: 'Here', latitude: 1, longitude: 2, is_public: true, recipient_ids: [], duration_minutes: 240 }
  const first = (await server.call('POST', '/api/pings/', place, token)).body['id']
  const second = (await server.call('POST', '/api/pings/', place, token)).body['id']
  const going = { ping_id: first, response_type: 'accepted' }
  const calls = [
    () => server.call('POST', `/api/pings/${first}/recipients`, { recipient_ids: [bobId] }, token),
    () => server.call('POST', '/api/pings/respond', going, bobToken),
    () => server.call('DELETE', `/api/pings/${first}/recipients/${bobId}`, undefined, token),
  ]
  for (const call of calls) expect((await call()).status).toBeLessThan(300)
  let acknowledged = 0
  for (let round = 0; round < 3; round++) {
    if (round > 0) server = await start()
    const killed = acknowledged + 12
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let turn = writer; ; turn++) {
        // A response is refused while bob is not invited.
        const response = await (calls[turn % calls.length] as (typeof calls)[0])().catch(() => null)
        if (response === null) return
        if (++acknowledged === killed) server.child.kill('SIGKILL')
      }
    })
    // The other ping is canceled meanwhile, and again after each start.
    const cancels = server.call('POST', `/api/pings/${second}/cancel`, { message: 'Rain' }, token).catch(() => null)
    await Promise.all([...writers, cancels])
  }
  server = await start()
  const mine = (await server.call('GET', '/api/pings/my-pings', undefined, token)).body as unknown as OwnPing[]
  const invited = mine.find(({ id }) => id === first)
  const canceled = mine.find(({ id }) => id === second)
  const isInvited = invited?.recipients.length === 1
  // A response, and what bob sees, belong to the invitation.
  if (!isInvited) expect(invited?.responses).toEqual([])
  const seen = (await server.call('GET', '/api/pings/', undefined, bobToken)).body as unknown as Ping[]
  expect(seen.map(({ id }) => id)).toEqual(isInvited ? [first] : [])
  const wasCanceled = canceled?.canceled_at != null
  expect(canceled?.status).toBe(wasCanceled ? 'expired' : 'active')
  expect(canceled?.cancel_message).toBe(wasCanceled ? 'Rain' : null)
  expect((await server.call('POST', `/api/pings/${second}/cancel`, { message: 'Rain' }, token)).status).toBe(200)
  expect(await server.end('SIGTERM')).toBe(0)
})

test('a second server on the same data folder stops with an error and changes nothing', async () => {
  await start()
  await expect(start()).rejects.toThrow(
    new RegExp(`ended with 1: .*Another Hither is already running on the data folder ${folder}`, 's'),
  )
})

test('an invalid setting stops the start with an error that names it', async () => {
  await expect(startProcess({ DATA_DIR: folder, PORT: 'eighty' })).rejects.toThrow(
    /ended with 1: .*PORT must be a whole number from 0 to 65535\./s,
  )
})
