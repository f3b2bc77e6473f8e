import { type FastifyInstance } from 'fastify'
import { type AppLinkSettings } from '../config.ts'
import { refuse } from '../platform/answers.ts'

/** What the packaged app opens of this server; the native projects name the same. */
const openedPaths = ['/pins/*', '/invite/*']

const hidden = { schema: { hide: true } }
const cacheControl = 'public, max-age=3600'

/**
 * Android and iOS ask here which app may open this server's links. Where nothing is set the answer is 404: a statement about
 * an app that is nobody's would hand its links to whoever signs with that key. Nothing below this path is ever a screen.
 */
export function addAppLinkRoutes(http: FastifyInstance, { android, appleAppIds }: AppLinkSettings): void {
  if (android !== null) {
    const statement = {
      relation: ['delegate_permission/common.handle_all_urls'],
      target: {
        namespace: 'android_app',
        package_name: android.packageName,
        sha256_cert_fingerprints: android.fingerprints,
      },
    }
    http.get('/.well-known/assetlinks.json', hidden, async (_request, reply) =>
      reply.type('application/json').header('cache-control', cacheControl).send([statement]),
    )
  }
  if (appleAppIds.length > 0) {
    const components = openedPaths.map((path) => ({ '/': path }))
    const association = { applinks: { details: [{ appIDs: appleAppIds, components }] } }
    http.get('/.well-known/apple-app-site-association', hidden, async (_request, reply) =>
      reply.type('application/json').header('cache-control', cacheControl).send(association),
    )
  }
  for (const path of ['/.well-known', '/.well-known/*'])
    http.get(path, hidden, (_request, reply) => refuse(reply, 'route_not_found'))
}
