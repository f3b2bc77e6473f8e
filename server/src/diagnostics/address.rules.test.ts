import { expect, it } from 'vitest'
import { type ArrivedRequest, judgeProxy, judgePublicAddress } from './address.rules.ts'

type Given = Partial<ArrivedRequest['arrival'] & ArrivedRequest['config'] & { requestOrigin: string }>

function wayOf({
  publicUrl = 'https://hither.example',
  trustProxy = 'loopback',
  requestOrigin,
  ...arrival
}: Given): ArrivedRequest {
  return {
    config: { publicUrl, trustProxy },
    requestOrigin: requestOrigin ?? publicUrl,
    arrival: {
      address: '203.0.113.7',
      peer: '127.0.0.1',
      forwardedFor: '203.0.113.7',
      forwardedProto: 'https',
      hasForwarded: false,
      ...arrival,
    },
  }
}

it.each<[string, Given, string, RegExp]>([
  ['https all the way', {}, 'ok', /^Links point to https:\/\/hither\.example,/],
  ['this machine', { publicUrl: 'http://localhost:3000', forwardedProto: null }, 'ok', /localhost:3000/],
  ['this machine by number', { publicUrl: 'http://127.0.0.1:3000', forwardedProto: null }, 'ok', /127\.0\.0\.1/],
  ['no https', { publicUrl: 'http://192.168.0.7', forwardedProto: null }, 'failed', /isn't an https address/],
  ['https that PUBLIC_URL does not know', { publicUrl: 'http://hither.example' }, 'warning', /Start it with https/],
  ['a port of its own', { publicUrl: 'https://hither.example:8443' }, 'ok', /:8443/],
  ['another port', { requestOrigin: 'https://hither.example:8443' }, 'warning', /sent to hither\.example:8443/],
  ['the inner host', { requestOrigin: 'http://127.0.0.1:3000' }, 'warning', /pass the header Host/],
  [
    'no forwarded scheme',
    { requestOrigin: 'http://hither.example', forwardedProto: null },
    'warning',
    /X-Forwarded-Proto/,
  ],
  ['an invalid host', { requestOrigin: 'http://[' }, 'warning', /PUBLIC_URL is/],
])('public address: %s', (_, given, state, text) => {
  expect(judgePublicAddress(wayOf(given))).toEqual({ state, text: expect.stringMatching(text) })
})

it.each<[string, Given, string, RegExp]>([
  ['trusted', {}, 'ok', /appears as 203\.0\.113\.7/],
  ['trusted, and on the same machine as who asks', { forwardedFor: '127.0.0.1', address: '127.0.0.1' }, 'ok', /./],
  ['as IPv6 sockets write it', { peer: '::ffff:10.0.0.2', trustProxy: false }, 'failed', /TRUST_PROXY=10\.0\.0\.2\./],
  ['not trusted', { trustProxy: false, address: '127.0.0.1' }, 'failed', /TRUST_PROXY=loopback/],
  ['another one trusted', { trustProxy: '10.0.0.2', address: '127.0.0.1' }, 'failed', /does not name it/],
  ['everybody trusted', { trustProxy: true }, 'warning', /TRUST_PROXY=loopback/],
  ['silent', { forwardedFor: null }, 'warning', /without a proxy, unset/],
  ['silent before https', { forwardedFor: null, trustProxy: false }, 'warning', /so there is a proxy/],
  ['none', { forwardedFor: null, trustProxy: false, publicUrl: 'http://localhost:3000' }, 'ok', /no proxy/],
  ['of the newer header', { forwardedFor: null, hasForwarded: true }, 'failed', /does not read/],
])('proxy: %s', (_, given, state, text) => {
  expect(judgeProxy(wayOf(given))).toEqual({ state, text: expect.stringMatching(text) })
})
