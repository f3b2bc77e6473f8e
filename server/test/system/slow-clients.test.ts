import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Person, startServer, type TestServer } from '../harness.ts'

let server: TestServer
let ann: Person

beforeAll(async () => {
  server = await startServer()
  ann = await server.signUp('ann')
})

afterAll(() => server.close())

/** Opens a raw TCP connection to the server. */
async function dial() {
  const { hostname, port } = new URL(server.url)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return { socket, said: readAll(socket) }
}

/** Returns everything that arrives before the end. The server may reset a connection that still sends. */
async function readAll(socket: Socket): Promise<string> {
  let said = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    said += chunk
  })
  await new Promise((resolve) => socket.once('end', resolve).once('close', resolve))
  return said
}

const head = (...lines: string[]) => ['GET /healthz HTTP/1.1', 'Host: x', ...lines].join('\r\n')

/** Parses the status and the error body of a raw response. */
function readAnswer(said: string) {
  const [top = '', body = ''] = said.split('\r\n\r\n')
  return { status: Number(top.split(' ', 2)[1]), closes: /^connection: close$/im.test(top), body: JSON.parse(body) }
}

it('the server has timeouts for headers, bodies and idle connections', () => {
  const { headersTimeout, requestTimeout, timeout, keepAliveTimeout } = server.app.http.server
  expect({ headersTimeout, requestTimeout, timeout }).toEqual({
    headersTimeout: 30_000,
    requestTimeout: 120_000,
    timeout: 120_000,
  })
  expect(keepAliveTimeout).toBeLessThanOrEqual(120_000)
})

it('a client with incomplete headers, an incomplete body or no request gets a 408 and is disconnected', async () => {
  const { server: http } = server.app.http
  const usual = { head: http.headersTimeout, all: http.requestTimeout }
  http.headersTimeout = 200
  http.requestTimeout = 400
  try {
    const [slowHead, slowBody, silent] = await Promise.all([dial(), dial(), dial()])
    slowHead.socket.write(head('X-Slow: '))
    slowBody.socket.write(
      [
        'POST /api/friends/request HTTP/1.1',
        'Host: x',
        `Authorization: Bearer ${ann.session.access_token}`,
        'Content-Type: application/json',
        'Content-Length: 1000',
        '',
        '{"username":"',
      ].join('\r\n'),
    )
    const drip = setInterval(() => {
      for (const { socket } of [slowHead, slowBody]) if (socket.writable) socket.write('x')
    }, 50)
    const answers = await Promise.all([slowHead.said, slowBody.said, silent.said])
    clearInterval(drip)
    for (const answer of answers)
      expect(readAnswer(answer)).toEqual({
        status: 408,
        closes: true,
        body: { detail: 'The request took too long to arrive', code: 'request_too_slow' },
      })
  } finally {
    http.headersTimeout = usual.head
    http.requestTimeout = usual.all
  }
  expect((await server.request('GET', '/healthz')).status).toBe(200)
})

it('refuses too large headers and accepts large ones', async () => {
  const [long, tooLong] = await Promise.all([dial(), dial()])
  long.socket.write(head(`X-Long: ${'x'.repeat(12 * 1024)}`, 'Connection: close', '', ''))
  tooLong.socket.write(head(`X-Long: ${'x'.repeat(17 * 1024)}`, '', ''))
  expect(await long.said).toMatch(/^HTTP\/1\.1 200 /)
  expect(readAnswer(await tooLong.said)).toEqual({
    status: 431,
    closes: true,
    body: { detail: 'Request headers are too large', code: 'header_too_large' },
  })
})

it.each([
  ['no HTTP', '\0\x16\x03\x01 hello\r\n\r\n'],
  ['two lengths', head('Content-Length: 1', 'Content-Length: 2', '', 'x')],
  ['a length and chunks', head('Content-Length: 5', 'Transfer-Encoding: chunked', '', '0\r\n\r\n')],
  ['chunks that are none', head('Transfer-Encoding: chunked', '', 'zz\r\n')],
  ['a space before the colon', head('X-Odd : 1', '', '')],
  ['a header folded over lines', head('X-Odd: 1', '\t2', '', '')],
  ['a bare line feed', 'GET /healthz HTTP/1.1\nHost: x\nX: \r1\n\n'],
])('%s is refused, so that no proxy and this server can read it differently', async (_name, bytes) => {
  const line = await dial()
  line.socket.write(bytes)
  const answer = readAnswer(await line.said)
  expect(answer).toEqual({ status: 400, closes: true, body: { detail: 'Bad request', code: 'bad_request' } })
})
