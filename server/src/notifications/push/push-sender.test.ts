import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { PushPayload } from '@hither/contract/notifications.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import webPush from 'web-push'
import { makeCertificate } from '../../../test/certificate.ts'
import { openPushService, type PushService } from '../../../test/push-service.ts'
import { createPushSender, type PushSender, type PushSenderOptions } from './push-sender.ts'

const keys = webPush.generateVAPIDKeys()
const payload: PushPayload = {
  kind: 'test',
  title: 'Grüße 🧭',
  body: '',
  tag: 'test',
  url: '/profile',
  timestamp: 1,
  actions: [],
}
const message = { payload, ttlSeconds: 60, urgency: 'high', topic: 'topic' } as const
const usualCertificates = getCACertificates()

let secure: PushService
let plain: PushService
const senders: PushSender[] = []

beforeAll(async () => {
  const { key, cert } = makeCertificate('localhost', 'push.example.org')
  setDefaultCACertificates([...usualCertificates, cert])
  secure = await openPushService({ key, cert })
  plain = await openPushService()
})

afterAll(async () => {
  for (const sender of senders) sender.close()
  setDefaultCACertificates(usualCertificates)
  await secure.close()
  await plain.close()
})

function sender(options: Partial<PushSenderOptions> = {}): PushSender {
  const made = createPushSender({ keys, subject: 'https://hither.example.org', pushHosts: [], ...options })
  senders.push(made)
  return made
}

function targetOf(service: PushService, at = service.origin) {
  const { endpoint, keys } = service.subscribe('phone')
  return { endpoint: endpoint.replace(service.origin, at), ...keys }
}

describe('a push', () => {
  it('is sent over https, readable by the device only, and signed for that push service', async () => {
    const outcome = await sender({ pushHosts: [secure.origin] }).send(targetOf(secure), message)
    expect(outcome).toEqual({ state: 'taken' })
    expect(secure.received.at(-1)).toMatchObject({
      payload,
      key: keys.publicKey,
      claims: { aud: secure.origin, sub: 'https://hither.example.org' },
      headers: { ttl: '60', urgency: 'high', topic: 'topic', 'content-encoding': 'aes128gcm' },
    })
  })

  it('is not sent to a server without a valid certificate', async () => {
    const { port } = new URL(secure.origin)
    const origin = `https://127.0.0.1:${port}`
    const before = secure.attempts
    const outcome = await sender({ pushHosts: [origin] }).send(targetOf(secure, origin), message)
    expect(outcome).toEqual({ state: 'failed', reason: 'ERR_TLS_CERT_ALTNAME_INVALID', retryAfterMs: 0 })
    expect(secure.attempts).toBe(before)
  })

  it('does not follow redirects', async () => {
    plain.answer = { status: 307, headers: { location: `${plain.origin}/inside` } }
    const before = plain.attempts
    const outcome = await sender({ pushHosts: [plain.origin] }).send(targetOf(plain), message)
    expect([outcome, plain.attempts - before]).toEqual([{ state: 'refused', reason: 'status 307' }, 1])
    plain.answer = { status: 201 }
  })

  it('times out', async () => {
    const never = Promise.withResolvers<void>()
    plain.answer = { status: 201, until: never.promise }
    const outcome = await sender({ pushHosts: [plain.origin], timeoutMs: 100 }).send(targetOf(plain), message)
    expect(outcome).toMatchObject({ state: 'failed' })
    plain.answer = { status: 201 }
    never.resolve()
  })

  it('is sent again if the push service closed the idle connection, and then once only', async () => {
    const seen = new WeakSet<Socket>()
    const answers: string[] = []
    const service = createHttpServer(({ socket }, response) => {
      if (seen.has(socket)) {
        answers.push('reset')
        socket.resetAndDestroy()
        return
      }
      seen.add(socket)
      answers.push('taken')
      response.writeHead(201).end()
    })
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
    const one = sender({ pushHosts: [origin] })
    // A connection is used again once its response has been read, which may be after the next send.
    while (!answers.includes('reset')) {
      expect(await one.send(targetOf(plain, origin), message)).toEqual({ state: 'taken' })
      await new Promise(setImmediate)
    }
    expect(answers.slice(-2)).toEqual(['reset', 'taken'])
    service.closeAllConnections()
    service.close()
  })

  it('fails if nothing listens at the address', async () => {
    const origin = 'http://127.0.0.1:9'
    const outcome = await sender({ pushHosts: [origin] }).send(targetOf(plain, origin), message)
    expect(outcome).toMatchObject({ state: 'failed', reason: 'ECONNREFUSED' })
  })
})

describe('a name that resolves to a private network', () => {
  let inside: Server
  let connections = 0

  beforeAll(async () => {
    inside = createServer((socket) => {
      connections++
      socket.destroy()
    })
    await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve))
  })

  afterAll(() => new Promise<void>((resolve) => inside.close(() => resolve())))

  const portOf = () => (inside.address() as AddressInfo).port

  it.each([
    [['127.0.0.1']],
    [['10.1.2.3']],
    [['169.254.169.254']],
    [['::1']],
    [['fd00::1']],
    [['::ffff:127.0.0.1']],
    // One public address among them does not make it acceptable.
    [['93.184.215.14', '192.168.1.1']],
  ])('with the addresses %j ends the subscription, and nothing there is contacted', async (addresses) => {
    const target = targetOf(plain, `https://push.example.org:${portOf()}`)
    const outcome = await sender({ resolve: async () => addresses }).send(target, message)
    expect([outcome, connections]).toEqual([{ state: 'gone' }, 0])
  })

  it.each(['https://127.0.0.1', 'https://[::1]', 'https://[::ffff:7f00:1]', 'http://push.example.org'])(
    'with the URL %s ends the subscription too',
    async (origin) => {
      const resolve = async () => ['127.0.0.1']
      const outcome = await sender({ resolve }).send(targetOf(plain, `${origin}:${portOf()}`), message)
      expect([outcome, connections]).toEqual([{ state: 'gone' }, 0])
    },
  )

  it('is resolved once: the connection goes to exactly the address that was checked', async () => {
    const asked: string[] = []
    const resolve = async (host: string) => {
      asked.push(host)
      return asked.length === 1 ? [] : ['127.0.0.1']
    }
    const one = sender({ resolve })
    const target = targetOf(plain, 'https://push.example.org')
    expect(await one.send(target, message)).toEqual({ state: 'failed', reason: 'ENOTFOUND', retryAfterMs: 0 })
    expect(asked).toEqual(['push.example.org'])
  })
})
