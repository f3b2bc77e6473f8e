import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { Writable } from 'node:stream'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { bodyBytesMax, listBytesMax } from '@hither/contract/operation.ts'
import { ownAnswerHeader } from '@hither/contract/runtime/own-answer.ts'
import type { TObject, TSchema } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, startServer, type TestServer } from '../../../test/harness.ts'
import { operations } from '../../../test/operations.ts'
import { createApp } from '../../app.ts'
import { readConfig } from '../../config.ts'
import { createLog } from '../../ops/log.ts'

let server: TestServer
let ann: Person

beforeAll(async () => {
  server = await startServer()
  ann = await server.signUp('ann')
})

afterAll(() => server.close())

const route = '/api/friends/request'
const json = { 'content-type': 'application/json' }

describe('an address', () => {
  it.each(['/api/nothing', '/api', '/api/', '/api/openapi_json', '/api/users', '/api/users/me/more'])(
    '%s that is no route returns 404',
    async (path) => {
      const answer = await server.request('GET', path, { as: ann })
      expect(answer).toMatchObject({ status: 404, body: { detail: 'Not found', code: 'route_not_found' } })
    },
  )

  it.each([
    ['/api/users/lookup/', 'username', 'too_long'],
    ['/api/users/', 'id', 'invalid_format'],
  ])('%s… with a name or id that is too long returns 422 to those who are signed in', async (path, field, code) => {
    for (const length of [201, 10_000]) {
      const long = `${path}${'x'.repeat(length)}`
      const answer = await server.request('GET', long, { as: ann })
      expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['path', field], code }] } })
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect((await server.request('GET', long)).status).toBe(401)
    }
  })

  it.each([
    ['POST', '/api/users/me', 'GET, PATCH, DELETE'],
    ['PUT', '/api/friends/request', 'POST, DELETE'],
    ['GET', '/api/auth/login', 'POST'],
    ['PUT', '/api/friends/', 'GET'],
    ['DELETE', '/api/friends', 'GET'],
    ['PUT', '/api/friends/block/bob/', 'POST, DELETE'],
    ['POST', '/api/openapi.json', 'GET'],
    ['DELETE', '/api/docs/', 'GET'],
    ['GET', '/api/realtime/v1/api/broadcast', 'POST'],
    ['PUT', '/api/realtime/v1/api/broadcast/room/events/wave', 'POST'],
  ])('called with the wrong method %s %s returns 405 with the allowed methods', async (method, path, allow) => {
    const answer = await server.request(method, path, { as: ann })
    expect(answer).toMatchObject({ status: 405, body: { detail: 'Method not allowed', code: 'method_not_allowed' } })
    expect(answer.headers.get('allow')).toBe(allow)
  })

  it('is the same with and without a trailing slash', async () => {
    for (const path of ['/api/friends', '/api/friends/', '/api/users/me', '/api/users/me/', '/api/users/lookup/ann/']) {
      expect((await server.request('GET', path, { as: ann })).status).toBe(200)
    }
    const posted = await server.request('POST', `${route}/`, { body: { username: 'nobody' }, as: ann })
    expect(posted).toMatchObject({ status: 404, body: { detail: 'User not found', code: 'user_not_found' } })
  })

  it.each(['/api/users/lookup/%', '/api/users/lookup/%ZZ', '/api/users/lookup/%ED%A0%80'])(
    '%s with invalid percent-encoding returns an error in the standard format',
    async (path) => {
      const answer = await server.request('GET', path, { as: ann })
      expect(answer).toMatchObject({ status: 400, body: { detail: 'Bad request', code: 'bad_request' } })
      expect(Object.keys(answer.body as object)).toEqual(['detail', 'code'])
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('x-request-id')).toBeTruthy()
    },
  )

  it.each(['7', 'me7', '01900000-0000-7000-8000-00000000000', "'", '%00'])('with the id %s returns 422', async (id) => {
    const answer = await server.request('GET', `/api/users/${id}`, { as: ann })
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['path', 'id'], msg: 'Must be a valid id', type: 'format', code: 'invalid_format' }] },
    })
  })

  it('with a NUL character in a name returns 422', async () => {
    for (const path of ['/api/users/lookup/a%00b', '/api/friends/block/a%00b']) {
      const answer = await server.request(path.includes('block') ? 'POST' : 'GET', path, { as: ann })
      expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['path', 'username'] }] } })
    }
  })
})

describe('a request', () => {
  it.each(['OPTIONS', 'TRACE', 'PROPFIND', 'PUT'])(
    'with the method %s is no call, in the standard format',
    async (method) => {
      const send = async (path: string) => {
        const request = httpRequest(`${server.url}${path}`, { method, agent: false })
        const [response] = (await once(request.end(), 'response')) as [IncomingMessage]
        const text = (await response.toArray()).join('')
        return { status: response.statusCode, allow: response.headers.allow, body: JSON.parse(text) }
      }
      const wrongMethod = { detail: 'Method not allowed', code: 'method_not_allowed' }
      expect(await send('/api/friends')).toEqual({ status: 405, allow: 'GET', body: wrongMethod })
      const notFound = { status: 404, body: { detail: 'Not found', code: 'route_not_found' } }
      for (const path of ['/', '/api/nothing', '/pins/x']) expect(await send(path)).toMatchObject(notFound)
    },
  )

  it('may have several spaces before its token', async () => {
    const token = ann.session.access_token
    for (const authorization of [`Bearer  ${token}`, `bearer \t ${token}`, `BEARER ${token} `])
      expect((await server.request('GET', '/api/users/me', { headers: { authorization } })).status).toBe(200)
    for (const authorization of [
      token,
      `Bearer${token}`,
      `Bearer ${token} x`,
      `Bearer, ${token}`,
      'Bearer',
      'Bearer  x',
    ])
      expect(await server.request('GET', '/api/users/me', { headers: { authorization } })).toMatchObject({
        status: 401,
        body: { detail: 'Authentication required', code: 'authentication_required' },
      })
  })

  it.each(['GET', 'HEAD'])('%s with an invalid address is refused in the standard format', async (method) => {
    for (const path of ['/pins/%ZZ', '/%', '/api/pings/%E0%A4%A', '/pins/%ZZ/x.png?y=%']) {
      const response = await fetch(`${server.url}${path}`, { method })
      expect(response.status).toBe(400)
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
      const refusal = { detail: 'Bad request', code: 'bad_request' }
      expect(await response.text()).toBe(method === 'GET' ? JSON.stringify(refusal) : '')
    }
  })

  it.each([
    ['a long address', (text: string) => `GET /${text} HTTP/1.1\r\nhost: x\r\n\r\n`],
    ['a long header', (text: string) => `GET / HTTP/1.1\r\nhost: x\r\nx: ${text}\r\n\r\n`],
  ])('with %s gets its response before the connection is closed', async (_, requestOf) => {
    const text = await exchange([requestOf('x'.repeat(3_000_000))])
    expect(text).toMatch(/^HTTP\/1.1 431 [\s\S]*"code":"header_too_large"}$/)
  })
})

/** Sends all parts and only then reads: a connection that was reset before has lost the response. */
async function exchange(parts: readonly (string | Buffer)[]): Promise<string> {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  for (const part of parts) await new Promise((resolve) => socket.write(part, resolve))
  let text = ''
  for await (const chunk of socket) {
    text += chunk
    const [head = '', body = ''] = text.split('\r\n\r\n')
    if (body.length > 0 && body.length >= Number(/content-length: (\d+)/i.exec(head)?.[1])) break
  }
  return text
}

describe('a body', () => {
  it.each([
    ['PATCH', '/api/pings/01900000-0000-7000-8000-000000000000'],
    ['POST', '/api/auth/login'],
    ['POST', '/api/files/profile-image'],
  ])('of ten megabytes to %s %s is read to its end, and the connection kept', async (method, path) => {
    const head = `${method} ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${ann.session.access_token}\r\n`
    const body = Buffer.alloc(10_000_000, ' ')
    const next = 'GET /api/nothing HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'
    for (const framed of [
      [`${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`, body, next],
      [
        `${head}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`,
        ...[`${body.length.toString(16)}\r\n`, body, '\r\n0\r\n\r\n', next],
      ],
    ]) {
      const text = await exchange(framed)
      expect(text).toMatch(/^HTTP\/1.1 41[35] [\s\S]*"code":"(?:body_too_large|unsupported_media_type)"}/)
    }
  })

  it.each(['gzip', 'br', 'deflate', 'zstd', 'GZIP', 'identity', ' Identity '])('may be sent as %s', async (coding) => {
    const encode: Record<string, (text: string) => Buffer> = {
      ...{ gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync, zstd: zstdCompressSync },
    }
    const text = JSON.stringify({ username: 'nobody' })
    const response = await fetch(`${server.url}${route}`, {
      method: 'POST',
      headers: { ...json, authorization: `Bearer ${ann.session.access_token}`, 'content-encoding': coding },
      body: encode[coding.toLowerCase()]?.(text) ?? text,
    })
    expect(response.status).toBe(404)
  })

  it.each(['snappy', 'x-gzip', 'gzip, br', 'gzip,gzip', '*'])('sent as %s is a 415 with a sentence', async (coding) => {
    const headers = { ...json, 'content-encoding': coding }
    const answer = await server.request('POST', route, { body: {}, as: ann, headers })
    const detail = 'This compression is not supported. Please send it uncompressed.'
    expect(answer).toMatchObject({ status: 415, body: { detail, code: 'unsupported_encoding' } })
  })

  it('that is not what its coding says is refused in the standard format', async () => {
    const headers = { ...json, 'content-encoding': 'gzip' }
    const answer = await server.request('POST', route, { body: '{"username":"bob"}', as: ann, headers })
    expect(answer).toMatchObject({ status: 400, body: { detail: 'Bad request', code: 'bad_request' } })
  })

  it.each(['{', '{"username":}', 'username=bob', '{"username":"bob"}}', '\ufeff{', 'NaN', "{'username':'bob'}"])(
    '%j that is not JSON returns 422',
    async (body) => {
      const answer = await server.request('POST', route, { body, as: ann })
      expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body'], type: 'json_invalid' }] } })
    },
  )

  it.each([undefined, '', 'null', '[]', '"bob"', '7', 'true'])('%j that is not an object returns 422', async (body) => {
    const answer = await server.request('POST', route, { body, as: ann, headers: json })
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body'], type: 'type' }] } })
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'x',
  ])('of the type %s is a 415', async (type) => {
    const answer = await server.request('POST', route, { body: 'x', as: ann, headers: { 'content-type': type } })
    expect(answer).toMatchObject({
      status: 415,
      body: { detail: 'Unsupported media type', code: 'unsupported_media_type' },
    })
  })

  it('above the limit of the call returns 413', async () => {
    const bodyOf = (bytes: number) => `{"more":"${'x'.repeat(bytes - '{"more":""}'.length)}"}`
    const tooLarge = { status: 413, body: { detail: 'Request body is too large', code: 'body_too_large' } }
    for (const [path, max] of [
      [route, bodyBytesMax],
      ['/api/pings/', listBytesMax],
    ] as const) {
      expect((await server.request('POST', path, { body: bodyOf(max), as: ann })).status).toBe(422)
      expect(await server.request('POST', path, { body: bodyOf(max + 1), as: ann })).toMatchObject(tooLarge)
    }
  })

  it('with as many ids as the contract allows is read', async () => {
    const lists = operations.flatMap((operation) =>
      Object.entries((operation.body as TObject | undefined)?.properties ?? {}).flatMap(([field, schema]) => {
        const list = ('anyOf' in schema ? (schema.anyOf as TSchema[])[0] : schema) as { maxItems?: number }
        return list?.maxItems === undefined ? [] : [{ operation, field, count: list.maxItems }]
      }),
    )
    expect(lists.map(({ count }) => count)).toContain(5000)
    for (const { operation, field, count } of lists) {
      const body = JSON.stringify({ [field]: Array.from({ length: count }, () => randomUUID()) })
      expect(body.length, field).toBeLessThan(operation.bodyMaxBytes ?? bodyBytesMax)
    }
  })

  it('with thousands of errors returns twenty of them', async () => {
    const recipient_ids = Array.from({ length: 4000 }, (_, index) => `wrong ${index}`)
    const body = { name: 'Here', latitude: 1, longitude: 200, recipient_ids }
    const answer = await server.request('POST', '/api/pings/', { body, as: ann })
    expect(answer.status).toBe(422)
    const { detail } = answer.body as { detail: { loc: unknown[] }[] }
    expect(detail).toHaveLength(20)
    expect(detail).toContainEqual(expect.objectContaining({ loc: ['body', 'recipient_ids', 0] }))
    expect(detail).toContainEqual(expect.objectContaining({ loc: ['body', 'longitude'] }))
  })

  it('with an error late in a list returns that error', async () => {
    const recipient_ids = [...Array.from({ length: 100 }, () => randomUUID()), 'wrong']
    const body = { name: 'Here', latitude: 1, longitude: 2, recipient_ids }
    const answer = await server.request('POST', '/api/pings/', { body, as: ann })
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'recipient_ids', 100] }] } })
  })

  it('may be empty if the call has no body, whatever its content type', async () => {
    expect((await server.request('GET', '/api/users/me', { as: ann, headers: json })).status).toBe(200)
    const unblock = await server.request('DELETE', '/api/friends/block/nobody', { as: ann, headers: json })
    expect(unblock.status).toBe(204)
  })

  it('is validated without coercion', async () => {
    for (const username of [7, true, null, ['bob'], { toString: 'bob' }]) {
      const answer = await server.request('POST', route, { body: { username }, as: ann })
      expect(answer).toMatchObject({
        status: 422,
        body: {
          detail: [{ loc: ['body', 'username'], msg: 'Must be of type string', type: 'type', code: 'wrong_type' }],
        },
      })
    }
  })

  it('may contain unknown fields and those of a prototype', async () => {
    const body = '{"username":"nobody","more":{"a":[1]},"__proto__":{"a":1},"constructor":{"prototype":{"a":1}}}'
    expect((await server.request('POST', route, { body, as: ann })).status).toBe(404)
    expect(({} as { a?: number }).a).toBeUndefined()
  })
})

describe('every answer', () => {
  it.each([
    '/api/config',
    '/api/nothing',
    '/api/users/lookup/%',
    '/api/users/me',
    '/healthz',
    '/api/maps/light',
    '/screen',
    '/assets/none.js',
  ])('to %s says that it is of Hither, also to the packaged app', async (path) => {
    const { headers } = await server.request('GET', path, { headers: { origin: 'capacitor://localhost' } })
    expect(headers.get(ownAnswerHeader)).toBe('1')
    if (path.startsWith('/api') && !path.includes('%'))
      expect(headers.get('access-control-expose-headers')).toContain(ownAnswerHeader)
  })

  it('of the API has no-store and a request id, and does not name the server software', async () => {
    for (const path of ['/api/users/me', '/api/nothing', '/api/config']) {
      const { headers } = await server.request('GET', path)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-request-id')).toBeTruthy()
      expect(headers.get('x-powered-by')).toBeNull()
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  it('to a page from elsewhere names no origin that was not allowed', async () => {
    const preflight = { origin: 'https://evil.example.org', 'access-control-request-method': 'POST' }
    const { headers } = await server.request('OPTIONS', route, { headers: preflight })
    expect(headers.get('access-control-allow-origin')).toBeNull()
    const own = await server.request('OPTIONS', route, { headers: { ...preflight, origin: 'capacitor://localhost' } })
    expect(own.headers.get('access-control-allow-origin')).toBe('capacitor://localhost')
  })
})

describe('an unexpected error', () => {
  it('returns 500 with an id that is in the log, and without details', async () => {
    const lines: string[] = []
    const sink = new Writable({
      write(line, _encoding, done) {
        lines.push(String(line))
        done()
      },
    })
    const authSecret = 'a secret for tests, long enough to sign'
    const { db, clock } = server
    const app = await createApp({
      config: readConfig({}),
      pool: db,
      authSecret,
      log: createLog('trace', sink),
      now: clock.now,
    })
    await db`alter table friendships rename to gone`
    const authorization = `Bearer ${ann.session.access_token}`
    const answer = await app.http.inject({ url: '/api/friends/?secret=1', headers: { authorization } })
    await db`alter table gone rename to friendships`
    await app.stop()

    expect(answer.statusCode).toBe(500)
    const { detail, ...rest } = answer.json()
    const [, incident = randomUUID()] = /^Internal server error \(([0-9a-f-]{36})\)$/.exec(detail) ?? []
    expect(rest).toEqual({ code: 'internal_error', incident })
    const line = lines.find((entry) => entry.includes(incident))
    expect(JSON.parse(line ?? '{}').err).toMatchObject({ type: 'DatabaseError', code: '42P01', message: 'relation' })
    expect(lines.join('')).not.toMatch(/secret=1|Bearer|eyJ/)
  })

  it('does not stop the server: the next call succeeds', async () => {
    expect((await server.request('GET', '/api/friends/', { as: ann })).status).toBe(200)
  })
})
