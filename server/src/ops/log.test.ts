import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { Operation } from '@hither/contract/operation.ts'
import { splitAddress } from '@hither/contract/runtime/address.ts'
import { Redis } from 'ioredis'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Person, startServer, type TestServer } from '../../test/harness.ts'
import { operations } from '../../test/operations.ts'
import { createLog, describeError, fixedBeginning } from './log.ts'

/** Values that users send; none may be in the log. */
const marked = {
  latitude: 47.1234567,
  longitude: 8.7654321,
  email: 'marked-address@example.net',
  text: 'Markedtext',
  username: 'markedname',
}

interface Schema {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
}

function sampleOf(schema: Schema, key: string, ids: Readonly<Record<string, string>>): unknown {
  if (schema.anyOf?.[0]) return sampleOf(schema.anyOf[0], key, ids)
  if (schema.enum) return schema.enum[0]
  if ('const' in schema) return schema.const
  switch ([schema.type ?? 'string'].flat()[0]) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, value]) => [name, sampleOf(value, name, ids)]),
      )
    case 'array':
      return [sampleOf(schema.items ?? {}, key, ids)]
    case 'number':
    case 'integer':
      return key === 'latitude' || key === 'lat' ? marked.latitude : key.startsWith('l') ? marked.longitude : 1
    case 'boolean':
      return true
    default:
      if (schema.format === 'uuid') return ids[key] ?? randomUUID()
      if (schema.format === 'date-time') return '2100-01-01T00:00:00Z'
      return key === 'email' ? marked.email : key.includes('username') ? marked.username : marked.text
  }
}

/** A request of this operation with marked values in every field. */
function send(server: TestServer, operation: Operation, as: Person, ids: Record<string, string>) {
  const params = sampleOf((operation.params ?? {}) as Schema, '', ids) as Record<string, string>
  const path = splitAddress(operation.address).path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? marked.text),
  )
  const query = operation.query ? (sampleOf(operation.query as Schema, '', ids) as Record<string, string>) : {}
  const body = operation.body && sampleOf(operation.body as Schema, '', ids)
  const url = `/api${path}?${new URLSearchParams(query)}`
  if (!operation.upload)
    return server.request(splitAddress(operation.address).method, url, { as, ...(body !== undefined && { body }) })
  const form = new FormData()
  form.set('file', new Blob([marked.text]), `${marked.text}.jpg`)
  const headers = { authorization: `Bearer ${as.session.access_token}` }
  return fetch(`${server.url}${url}`, { method: splitAddress(operation.address).method, headers, body: form })
}

describe('the log at level trace', () => {
  it('contains no position, address, text, name or token of any call, also if the database rejects every row', {
    timeout: 240_000,
  }, async () => {
    const lines: string[] = []
    const server = await startServer({}, createLog('trace', { write: (line) => void lines.push(line) }))
    onTestFinished(() => server.close())
    const ann = await server.signUp('ann')
    const bob = await server.signUp('bob')
    await server.befriend(ann, bob)
    const body = { name: marked.text, latitude: marked.latitude, longitude: marked.longitude }
    const ping = (await server.request('POST', '/api/pings/', { body, as: ann })).body as { id: string }
    const chat = (
      await server.request('POST', '/api/messages/conversations/', {
        body: { participant_ids: [bob.id] },
        as: ann,
      })
    ).body as { id: string }
    const ids = { ping_id: ping.id, pingId: ping.id, a: ping.id, b: ann.id, conversation_id: chat.id, user_id: bob.id }
    const harmless = operations.filter(
      (operation) => !['DELETE /users/me', 'POST /auth/logout'].includes(operation.address),
    )
    for (const operation of harmless) await send(server, operation, ann, ids)
    await server.request('GET', `/pins/${ping.id}?x=${marked.text}`)
    await server.request('POST', '/api/pings/', { body: `{"${marked.text}`, as: ann })
    const statuses = await failingDatabase(server, async () => {
      const found: number[] = []
      for (const operation of harmless) found.push((await send(server, operation, ann, ids)).status)
      return found
    })

    expect(statuses).toContain(500)
    const errors = lines.map((line) => JSON.parse(line)).filter(({ err }) => err)
    expect(errors.map(({ err }) => err.code)).toContain('23514')
    expect(errors.find(({ err }) => err.code === '23514').err.stack.length).toBeGreaterThan(0)
    const log = lines.join('')
    const secrets = [
      ann.session.access_token,
      ann.session.refresh_token,
      ann.email,
      ...Object.values(marked).map(String),
    ]
    for (const secret of secrets) expect(log).not.toContain(secret)
  })

  it('contains errors of Redis without the arguments of the command', async () => {
    const server = createServer((socket) => {
      socket.on('data', (data) => {
        const answer = data.includes('\r\nset\r\n') ? '-ERR wrong "Markedtext"\r\n' : '+OK\r\n'
        socket.write(answer.repeat(data.toString().match(/\*\d+\r\n/g)?.length ?? 0))
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const redis = new Redis(port, '127.0.0.1', { enableReadyCheck: false, maxRetriesPerRequest: 0, lazyConnect: true })
    redis.on('error', () => undefined)
    onTestFinished(() => {
      redis.disconnect()
      server.close()
    })
    await redis.connect()
    const error = await redis.set(marked.username, marked.email).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ command: { args: [marked.username, marked.email] } })
    const lines: string[] = []
    createLog('trace', { write: (line) => void lines.push(line) }).error({ err: error }, 'Redis failed')
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      msg: 'Redis failed',
      err: { type: 'ReplyError', command: 'set' },
    })
    for (const secret of Object.values(marked)) expect(lines.join('')).not.toContain(secret)
  })

  it('contains only allowed fields and the fixed part of messages, also of child loggers and libraries', () => {
    const lines: string[] = []
    const log = createLog('trace', { write: (line) => void lines.push(line) })
    log.child({ reqId: 'one' }).trace({ busboyOptions: { headers: { authorization: 'Markedtext' } } }, 'parsing')
    log.info('file %s of %s', 'Markedtext', 'Markedtext')
    log.warn(`cannot answer "Markedtext"`)
    log.error(new Error('failed for "Markedtext"', { cause: new TypeError('Markedtext: 7') }))
    log.error({ err: Object.assign(new Error('x'), { detail: 'Markedtext' }) })
    expect(lines).toHaveLength(5)
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      'parsing',
      'file',
      'cannot answer',
      'no message',
      'no message',
    ])
    expect(lines.slice(0, 3).join('')).not.toContain('Markedtext')
    expect(lines[4]).not.toContain('Markedtext')
  })
})

/** Every insert and update fails with a detail that contains the whole row. */
async function failingDatabase<T>(server: TestServer, work: () => Promise<T>): Promise<T> {
  const tables = await server.db<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`
  for (const { name } of tables)
    await server.db`alter table ${server.db(name)} add constraint refuse_all check (false) not valid`
  try {
    return await work()
  } finally {
    for (const { name } of tables) await server.db`alter table ${server.db(name)} drop constraint refuse_all`
  }
}

describe('a logged error', () => {
  it.each([
    ['duplicate key value violates unique constraint "users_email"', 'duplicate key value violates unique constraint'],
    ['connect ECONNREFUSED 127.0.0.1:5432', 'connect ECONNREFUSED'],
    ['550 5.1.1 <ann@example.org>: rejected', ''],
    ["Cannot read properties of undefined (reading 'x')", 'Cannot read properties of undefined'],
    ['The files were erased meanwhile', 'The files were erased meanwhile'],
  ])('with the message %j keeps its fixed beginning', (message, expected) => {
    expect(fixedBeginning(message)).toBe(expected)
  })

  it('contains no stack frame that is part of the message', () => {
    const error = new Error('wrong\n    at /home/Markedtext (file:///x:1:1)')
    const { stack } = describeError(error)
    expect(stack.join()).not.toContain('Markedtext')
    expect(stack.length).toBeGreaterThan(0)
  })
})
