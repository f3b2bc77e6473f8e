import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Message } from '@hither/contract/messages/messages.ts'
import { refusals } from '@hither/contract/refusals.ts'
import { RealtimeClient } from '@supabase/realtime-js'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type FaultyProxy, openFaultyProxy } from '../faulty-proxy.ts'
import { type ServerProcess, type ServerReply, startProcess } from '../server-process.ts'

const patient = { interval: 1, timeout: 30_000 }

/** The reply to a sent message, with the `client_id` of the message. */
interface SendReply extends ServerReply {
  readonly clientId: string
}

describe('a database that becomes unavailable during work', () => {
  const database = `away_${randomUUID().replaceAll('-', '')}`
  let admin: postgres.Sql
  let line: FaultyProxy
  let folder: string
  let server: ServerProcess
  let ann: string
  let chat: string
  let client: RealtimeClient
  const received: string[] = []
  const answers: SendReply[] = []

  beforeAll(async () => {
    const url = new URL(inject('postgresUrl') ?? '')
    admin = postgres(`${url.href}/${database}`, { max: 1, onnotice: () => undefined })
    const maker = postgres(`${url.href}/postgres`, { max: 1 })
    await maker.unsafe(`create database ${database}`)
    await maker.end()
    line = await openFaultyProxy(Number(url.port))
    folder = await mkdtemp(join(tmpdir(), 'hither-away-'))
    server = await startProcess({
      DATA_DIR: folder,
      DATABASE_URL: `postgres://${url.username}@127.0.0.1:${line.port}/${database}`,
      AUTH_SECRET: 'a secret for tests, long enough to sign',
    })
    const signUp = async (username: string) => {
      const account = { email: `${username}@example.org`, password: 'correct horse battery', username }
      return (await server.call('POST', '/api/auth/signup', account)).body as {
        access_token: string
        user: { id: string }
      }
    }
    const [first, second] = [await signUp('ann'), await signUp('bob')]
    ann = first.access_token
    const bob = second.access_token
    const { id } = (await server.call('POST', '/api/friends/request', { username: 'bob' }, ann)).body
    await server.call('PATCH', `/api/friends/${id}/respond`, { action: 'accepted' }, bob)
    const made = await server.call('POST', '/api/messages/conversations/', { participant_ids: [second.user.id] }, ann)
    chat = made.body['id'] as string

    client = new RealtimeClient(`${server.url.replace('http', 'ws')}/api/realtime/v1`, {
      params: { apikey: 'anon' },
    })
    await client.setAuth(bob)
    const channel = client.channel('messages')
    channel.on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'messages' }, (change) =>
      received.push((change.new as Message).id),
    )
    await new Promise<void>((resolve) => channel.subscribe((status) => status === 'SUBSCRIBED' && resolve()))
  })

  afterAll(async () => {
    await client.disconnect()
    await server.end('SIGKILL')
    await line.close()
    await admin.unsafe(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}' and pid <> pg_backend_pid()`,
    )
    await admin.end()
    await rm(folder, { recursive: true, force: true })
  })

  async function sendMessage(clientId: string = randomUUID()): Promise<SendReply> {
    const message = { conversation_id: chat, content: 'x', client_id: clientId }
    const answer = { ...(await server.call('POST', '/api/messages/send', message, ann)), clientId }
    answers.push(answer)
    return answer
  }

  /** Sends messages from several writers without a pause until `isEnough` returns true. */
  async function writeUntil(isEnough: () => boolean) {
    await Promise.all(
      Array.from({ length: 12 }, async () => {
        do await sendMessage()
        while (!isEnough())
      }),
    )
  }

  const counted = (status: number) => answers.filter((answer) => answer.status === status).length
  const ready = async () => (await server.call('GET', '/readyz')).status
  const rowsOf = (clientId: string) => admin<{ id: string }[]>`select id from messages where client_id = ${clientId}`

  it('is reported as unavailable, and the server reconnects by itself each time', async () => {
    for (let round = 0; round < 4; round++) {
      const taken = counted(201)
      const working = writeUntil(() => counted(201) > taken + 50)
      await expect.poll(() => counted(201), patient).toBeGreaterThan(taken + 20)
      line.set('closed')
      line.cut()
      expect(await ready()).toBe(503)
      line.set('open')
      await working
      expect(await ready()).toBe(200)
    }
    expect(counted(503)).toBeGreaterThan(0)
  })

  it('causes no hanging request if it stops responding', async () => {
    const [taken, failed] = [counted(201), counted(503)]
    const working = writeUntil(() => counted(201) > taken + 50)
    await expect.poll(() => counted(201), patient).toBeGreaterThan(taken + 20)
    line.set('silent')
    expect(await ready()).toBe(503)
    await expect.poll(() => counted(503), patient).toBeGreaterThanOrEqual(failed + 12)
    line.set('open')
    await working
    expect(await ready()).toBe(200)
  })

  it('during the commit of a message leads to a 503, and the message is stored and delivered once', async () => {
    let lost: SendReply
    let rows: { id: string }[]
    do {
      // The transaction that commits first may also be that of a job.
      line.dropResponse('COMMIT')
      lost = await sendMessage()
      rows = await rowsOf(lost.clientId)
    } while (lost.status === 201 || rows.length === 0)
    expect(lost.status).toBe(503)
    const id = rows[0]?.id
    await expect.poll(() => received, patient).toContain(id)
    // The client repeats the message with the same `client_id`, and the server recognizes it.
    expect((await sendMessage(lost.clientId)).status).toBe(200)
    expect(await rowsOf(lost.clientId)).toEqual([{ id }])
    // Changes are delivered in order, so no second copy can follow after a later message.
    const later = (await sendMessage()).body['message'] as Message
    await expect.poll(() => received, patient).toContain(later.id)
    expect(received.filter((one) => one === id)).toEqual([id])
  })

  it('loses and duplicates no acknowledged message and leaks no connection', async () => {
    const stored = new Set((await admin`select client_id from messages`).map((row) => row['client_id']))
    const acknowledged = answers.filter(({ status }) => status === 201)
    expect(acknowledged.filter(({ clientId }) => !stored.has(clientId))).toEqual([])
    for (const { status, body } of answers.filter((answer) => answer.status > 201))
      expect([status, body]).toEqual([503, { detail: refusals.unavailable.detail, code: 'unavailable' }])
    const ids = acknowledged.map(({ body }) => (body['message'] as Message).id)
    await expect.poll(() => ids.filter((id) => !received.includes(id)), patient).toEqual([])
    expect(new Set(received).size).toBe(received.length)
    // The connections of the pool and of the health check.
    const connections = () => admin`
      select pid from pg_stat_activity where datname = ${database} and application_name like 'hither%'`
    await expect.poll(async () => (await connections()).length, patient).toBeLessThanOrEqual(9)
    const together = await Promise.all(Array.from({ length: 30 }, () => sendMessage()))
    expect(new Set(together.map(({ status }) => status))).toEqual(new Set([201]))
    expect([server.child.exitCode, server.output()]).toEqual([null, expect.not.stringContaining('unexpected error')])
  })
})
