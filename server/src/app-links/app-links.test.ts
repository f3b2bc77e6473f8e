import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../test/harness.ts'

const fingerprint = Array.from({ length: 32 }, (_, index) => (index + 160).toString(16).toUpperCase()).join(':')
const paths = ['/.well-known/assetlinks.json', '/.well-known/apple-app-site-association']

describe('a server with links that an app opens', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await startServer({
      APP_LINK_ANDROID_FINGERPRINTS: `${fingerprint}, ${fingerprint.toLowerCase().replace('a0', 'a1')}`,
      APP_LINK_APPLE_APP_IDS: 'ABCDE12345.app.hither.mobile',
    })
  })
  afterAll(() => server.close())

  it('names the Android app with every signing key', async () => {
    const { status, body, headers } = await server.request('GET', paths[0] ?? '')
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    expect(body).toEqual([
      {
        relation: ['delegate_permission/common.handle_all_urls'],
        target: {
          namespace: 'android_app',
          package_name: 'app.hither.mobile',
          sha256_cert_fingerprints: [fingerprint, fingerprint.replace('A0', 'A1')],
        },
      },
    ])
  })

  it('names the iOS app with the paths it opens', async () => {
    const { status, body, headers } = await server.request('GET', paths[1] ?? '')
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    expect(body).toEqual({
      applinks: {
        details: [
          {
            appIDs: ['ABCDE12345.app.hither.mobile'],
            components: [{ '/': '/pins/*' }, { '/': '/invite/*' }, { '/': '/add' }],
          },
        ],
      },
    })
  })

  it('allows the two origins of the packaged app, and no similar ones', async () => {
    const allowed = async (origin: string) => {
      const headers = { origin, 'access-control-request-method': 'GET' }
      const answer = await server.request('OPTIONS', '/api/config', { headers })
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
      return answer.headers.get('access-control-allow-origin')
    }
    for (const origin of ['https://localhost', 'capacitor://localhost']) expect(await allowed(origin)).toBe(origin)
    for (const origin of [
      'http://localhost',
      'https://localhost:8443',
      'https://localhost.evil.example',
      'capacitor://evil',
      'ionic://localhost',
      'null',
    ])
      expect(await allowed(origin)).toBeNull()
  })
})

describe('a server without app links', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.close())

  it.each([...paths, '/.well-known/', '/.well-known/other', `${paths[0]}?x=1`])(
    'returns 404 for %s, and no screen',
    async (path) => {
      const { status, headers, body } = await server.request('GET', path)
      expect([status, headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8'])
      expect(body).toHaveProperty('detail')
    },
  )
})
