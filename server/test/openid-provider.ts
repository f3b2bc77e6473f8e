import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { OAuth2Server } from 'oauth2-mock-server'

type Payload = Record<string, unknown>

/** An OpenID Connect provider over HTTP, at which one person signs in without a form. */
export interface OpenIdProvider {
  readonly issuer: string
  readonly port: number
  /** The claims of the next tokens; undefined removes one. */
  claims: Payload
  /** What the userinfo endpoint says. */
  userInfo: Payload
  /** Replaces the ID token of the next answer. Gets its payload. */
  forge: ((payload: Payload) => Promise<string>) | null
  /** What answers in place of the provider, by path. */
  readonly answers: Map<string, RequestListener>
  /** The requests to the token endpoint so far. */
  tokenRequests: number
  readonly server: OAuth2Server
  /** Opens the address that a browser would open, and returns the address to which the provider sends it. */
  visit(url: string): Promise<URL>
  stop(): Promise<void>
}

export async function startOpenIdProvider(now: () => Date, port = 0, algorithm = 'RS256'): Promise<OpenIdProvider> {
  const server = new OAuth2Server()
  await server.issuer.keys.generate(algorithm)
  const answers = new Map<string, RequestListener>()
  const front = createServer((request, response) => {
    const answer = answers.get(new URL(request.url ?? '', 'http://localhost').pathname)
    return (answer ?? server.service.requestHandler)(request, response)
  })
  await new Promise<void>((resolve) => front.listen(port, 'localhost', resolve))
  const { port: openPort } = front.address() as AddressInfo
  server.issuer.url = `http://localhost:${openPort}`
  let forgedToken: string | null = null
  const provider: OpenIdProvider = {
    issuer: server.issuer.url,
    port: openPort,
    claims: {},
    userInfo: {},
    forge: null,
    answers,
    tokenRequests: 0,
    server,
    async visit(url) {
      const response = await fetch(url, { redirect: 'manual' })
      const location = response.headers.get('location')
      if (location === null) throw new Error(`The provider answered ${response.status}`)
      return new URL(location)
    },
    async stop() {
      front.close()
      front.closeAllConnections()
    },
  }
  server.service.on('beforeTokenSigning', ({ payload }: { payload: Payload }) => {
    const at = Math.floor(now().getTime() / 1000)
    Object.assign(payload, { iat: at, nbf: at, exp: at + 3600 }, provider.claims)
    for (const name of Object.keys(payload)) if (payload[name] === undefined) delete payload[name]
  })
  server.service.on('beforeResponse', (response: { body: Payload }) => {
    provider.tokenRequests++
    if (forgedToken !== null) response.body['id_token'] = forgedToken
  })
  server.service.on('beforeUserinfo', (response: { body: Payload }) => {
    response.body = { sub: provider.claims['sub'], ...provider.userInfo }
  })
  // The handlers are synchronous: a forged token is made from the nonce in the address of the visit.
  const visit = provider.visit
  provider.visit = async (url) => {
    const query = new URL(url).searchParams
    const at = Math.floor(now().getTime() / 1000)
    const payload = {
      ...{ iss: provider.issuer, aud: query.get('client_id'), nonce: query.get('nonce'), iat: at, exp: at + 3600 },
      ...provider.claims,
    }
    forgedToken = (await provider.forge?.(payload)) ?? null
    return visit(url)
  }
  return provider
}
