import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AuthSession } from '@hither/contract/auth/auth.ts'
import type { Conversation, Message } from '@hither/contract/messages/messages.ts'
import { RealtimeClient } from '@supabase/realtime-js'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { freePort } from '../free-port.ts'
import { openProxy } from '../official-client.ts'
import { hasRedis, openRedis, type RedisServer } from '../redis-server.ts'
import { compileCache } from '../server-process.ts'

/** A node in its own process, which the test can kill. */
interface NodeProcess {
  readonly origin: string
  readonly process: ChildProcess
}

describe.skipIf(!hasRedis)('a node that is killed', () => {
  const database = `killed_${randomUUID().replaceAll('-', '')}`
  let redis: RedisServer
  let folder: string
  let nodes: NodeProcess[]

  beforeAll(async () => {
    const admin = postgres(`${inject('postgresUrl')}/postgres`, { max: 1, onnotice: () => undefined })
    await admin.unsafe(`create database ${database}`)
    await admin.end()
    redis = await openRedis()
    folder = await mkdtemp(join(tmpdir(), 'hither-killed-'))
    // The nodes start one after the other, because the first one creates the schema.
    nodes = [await startNode()]
    nodes.push(await startNode())
  })

  afterAll(async () => {
    for (const node of nodes) node.process.kill('SIGKILL')
    await redis.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function startNode(): Promise<NodeProcess> {
    const port = await freePort()
    const child = spawn(process.execPath, [join(import.meta.dirname, '../../src/main.ts')], {
      stdio: 'ignore',
      env: {
        ...process.env,
        ...compileCache,
        PORT: String(port),
        DATA_DIR: folder,
        DATABASE_URL: `${inject('postgresUrl')}/${database}`,
        REDIS_URL: redis.url,
        AUTH_SECRET: 'a secret for tests, long enough to sign',
        RATE_LIMITS: 'off',
        MAP_ONLINE: 'off',
        LOG_LEVEL: 'silent',
      },
    })
    const origin = `http://127.0.0.1:${port}`
    while (
      !(await fetch(`${origin}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ))
    ) {
      if (child.exitCode !== null) throw new Error(`The node ended with ${child.exitCode}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return { origin, process: child }
  }

  async function call<T>(node: NodeProcess, method: string, path: string, body: unknown, token?: string): Promise<T> {
    const response = await fetch(`${node.origin}/api${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }

  it('under load loses nothing: its clients receive every acknowledged message once and in order from the other node', async () => {
    const [dying, living] = nodes as [NodeProcess, NodeProcess]
    const signUp = (username: string) =>
      call<AuthSession>(living, 'POST', '/auth/signup', {
        email: `${username}@example.org`,
        password: 'correct horse battery',
        username,
      })
    const [ann, bob] = [await signUp('ann'), await signUp('bob')]
    const request = await call<{ id: string }>(
      living,
      'POST',
      '/friends/request',
      { username: 'bob' },
      ann.access_token,
    )
    await call(living, 'PATCH', `/friends/${request.id}/respond`, { action: 'accepted' }, bob.access_token)
    const participants = { participant_ids: [bob.user.id] }
    const { id } = await call<Conversation>(living, 'POST', '/messages/conversations/', participants, ann.access_token)

    const line = await openProxy({ origin: dying.origin })
    const client = new RealtimeClient(`${line.origin}/api/realtime/v1`, {
      params: { apikey: 'anon' },
      reconnectAfterMs: () => 50,
    })
    await client.setAuth(bob.access_token)
    const received: Message[] = []
    let notices = 0
    const resume: { after?: string } = {}
    let wake = () => {}
    const channel = client.channel('messages')
    channel.updateJoinPayload({ resume })
    channel.on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'messages' }, (change) => {
      resume.after = change.commit_timestamp
      received.push(change.new as Message)
      wake()
    })
    channel.on('system', {}, ({ extension, position }: { extension: string; position?: string }) => {
      if (extension === 'position') resume.after = position as string
      if (extension === 'resync') notices++
    })
    await new Promise<void>((resolve) => channel.subscribe((status) => status === 'SUBSCRIBED' && resolve()))

    const acknowledged: Message[] = []
    const write = async (index: number) => {
      const body = { content: String(index), client_id: randomUUID() }
      const send = (node: NodeProcess) =>
        call<{ message: Message }>(node, 'POST', '/messages/send', { conversation_id: id, ...body }, ann.access_token)
      // A call without a response is repeated, as the app does.
      acknowledged.push((await send(index % 2 === 0 ? living : dying).catch(() => send(living))).message)
    }
    for (let round = 0; round < 30; round++) {
      const writes = Array.from({ length: 10 }, (_, index) => write(10 * round + index))
      if (round === 12) {
        dying.process.kill('SIGKILL')
        line.setTarget({ origin: living.origin })
        line.cut()
      }
      await Promise.all(writes)
    }
    expect(acknowledged).toHaveLength(300)
    const promised = acknowledged.map(({ seq }) => seq).sort((a, b) => a - b)
    // Messages arrive in order, so the last one ends the wait.
    while (received.at(-1)?.seq !== promised.at(-1))
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    expect(received.map(({ seq }) => seq)).toEqual(promised)
    // The only resync is the one at the first join.
    expect(notices).toBe(1)
    await client.disconnect()
  })
})
