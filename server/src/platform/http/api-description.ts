import { faults, generalFaultCodes } from '@hither/contract/faults.ts'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { version } from '../../version.ts'

const documentPath = '/openapi.json'
const docsPath = '/docs'
const pagePath = `/api${docsPath}`

/** The routes that are no operations, with their paths below `/api`. */
export const descriptionRoutes = [
  { method: 'GET', path: documentPath },
  { method: 'GET', path: docsPath },
] as const

interface Answer {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, number | string | string[] | undefined>>
  readonly rawPayload: Buffer
}

interface Description {
  /** The OpenAPI document as JSON. */
  readonly json: string
  /** Answers a request of the Swagger page. */
  ask(url: string, headers: Record<string, string>): Promise<Answer>
}

/**
 * Serves the OpenAPI document and the Swagger page of all routes that are added later. Nothing of them is loaded or built before
 * the first request; the result is stored, so that later requests cost no more than sending it. Call it before the first route.
 */
export function addApiDescription(app: FastifyInstance): void {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    if (route.schema?.hide !== true) routes.push(route)
  })
  let described: Promise<Description> | undefined
  const describe = () => {
    described ??= build(routes).catch((error: unknown) => {
      described = undefined
      throw error
    })
    return described
  }
  app.get(`/api${documentPath}`, { schema: { hide: true } }, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send((await describe()).json),
  )
  for (const path of [pagePath, `${pagePath}/*`])
    app.get(path, { schema: { hide: true } }, async (request, reply) => {
      const { ask } = await describe()
      const { statusCode, headers, rawPayload } = await ask(request.url, conditionsOf(request.headers))
      if (statusCode === 404) return reply.callNotFound()
      for (const [name, value] of Object.entries(headers))
        if (value !== undefined && !connectionHeaders.includes(name)) reply.header(name, value)
      return reply.status(statusCode).send(rawPayload.length > 0 ? rawPayload : undefined)
    })
}

/** What the document says about all calls, with the codes of faults. The codes of a call are in its own description. */
export const description = [
  'Drop a pin. Friends come hither.',
  'Every error has a `detail` in English and a `code`. A 422 has the code `invalid_input` and a list of faults with codes of their own:',
  `${[...generalFaultCodes, ...Object.keys(faults)].join(', ')}.`,
].join(' ')

/** Headers of the inner response that are not copied, because the outer response has its own. */
const connectionHeaders = ['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']

/** Returns the conditional headers of a request, with which a browser revalidates its copy. */
function conditionsOf(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const names = ['if-none-match', 'if-modified-since']
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
}

/** The plugin reads the routes of the instance that it is registered on, so it gets one of its own, with the same routes. */
async function build(routes: readonly RouteOptions[]): Promise<Description> {
  const [{ default: fastify }, { default: swagger }, { default: swaggerUi }] = await Promise.all([
    import('fastify'),
    import('@fastify/swagger'),
    import('@fastify/swagger-ui'),
  ])
  const docs = fastify({ routerOptions: { ignoreTrailingSlash: true }, exposeHeadRoutes: false })
  // Its routes are described, never called with values.
  docs.setValidatorCompiler(() => () => true)
  docs.setSerializerCompiler(() => JSON.stringify)
  await docs.register(swagger, {
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
  await docs.register(swaggerUi, { routePrefix: pagePath, staticCSP: docsPolicy })
  for (const { method, url, schema } of routes)
    docs.route({ method, url, ...(schema && { schema }), handler: async () => undefined })
  await docs.ready()
  return {
    json: JSON.stringify(docs.swagger()),
    ask: (url, headers) => docs.inject({ method: 'GET', url, headers }),
  }
}

/** Swagger UI sets styles of its own in the page; everything else it needs comes from this server. */
const docsPolicy = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self' 'unsafe-inline'`,
  `img-src 'self' data:`,
  `connect-src 'self'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ')
