import swagger from '@fastify/swagger'
import { ErrorBody } from '@hither/contract/error-body.ts'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../test/harness.ts'
import { readConfig } from '../../config.ts'
import { version } from '../../version.ts'
import { description } from './api-description.ts'
import { createServer } from './server.ts'

describe('the OpenAPI document', () => {
  it('equals the description that the plugin generates if it is registered before the routes', async () => {
    const app = await createServer(readConfig({}), pino({ level: 'silent' }))
    await app.register(swagger, {
      openapi: {
        openapi: '3.1.0',
        info: { title: 'Hither', version, description },
        components: {
          securitySchemes: {
            bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
            guest: { type: 'http', scheme: 'Guest', description: 'The token of a response without an account' },
          },
        },
      },
    })
    const params = { type: 'object', required: ['id'], properties: { id: { type: 'string', format: 'uuid' } } }
    const querystring = { type: 'object', properties: { limit: { type: 'integer', minimum: 1 } } }
    const schema = { tags: ['Pings'], security: [{ bearer: [] }], params, querystring, response: { '4xx': ErrorBody } }
    app.get('/api/pings/:id', { schema }, async () => null)
    app.get('/plain', async () => null)
    app.get('/hidden', { schema: { hide: true } }, async () => null)
    app.register(async (scope) => {
      const body = { type: 'object', properties: { file: { type: 'string', format: 'binary' } } }
      scope.post('/api/files', { schema: { consumes: ['multipart/form-data'], body } }, async () => null)
    })
    const { body, headers } = await app.inject('/api/openapi.json')
    expect(body).toBe(JSON.stringify(app.swagger()))
    expect(Object.keys(JSON.parse(body).paths)).toEqual(['/api/pings/{id}', '/plain', '/api/files'])
    for (const code of ['too_long', 'ping_name_missing']) expect(JSON.parse(body).info.description).toContain(code)
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    await app.close()
  })
})

describe('the page of the API', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await startServer()
  })

  afterAll(() => server.close())

  it('shows the document that /api/openapi.json has', async () => {
    const page = await server.request('GET', '/api/docs')
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; .*frame-ancestors 'none'$/,
    )
    expect(page.headers.get('x-content-type-options')).toBe('nosniff')
    const document = await server.request('GET', '/api/openapi.json')
    expect(document.body).toHaveProperty(['paths', '/api/users/me'])
    expect((await server.request('GET', '/api/docs/json')).body).toEqual(document.body)
  })

  it('loads its files, and returns 304 to a browser that has one already', async () => {
    const style = await server.request('GET', '/api/docs/static/swagger-ui.css')
    expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8')
    expect(String(style.body).length).toBeGreaterThan(100_000)
    const headers = { 'if-none-match': style.headers.get('etag') ?? '' }
    const again = await server.request('GET', '/api/docs/static/swagger-ui.css', { headers })
    expect([again.status, again.body]).toEqual([304, null])
  })

  it('has no other files', async () => {
    for (const path of ['/api/docs/nothing', '/api/docs/static/../../index.js', '/api/docs/static/%2e%2e/index.js'])
      expect(await server.request('GET', path), path).toMatchObject({
        status: 404,
        body: { detail: 'Not found', code: 'route_not_found' },
      })
  })
})
