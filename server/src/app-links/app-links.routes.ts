import type { FastifyInstance } from 'fastify'
import type { AppLinkSettings } from '../config/app-links.ts'
import { refuse } from '../platform/http/error-handler.ts'

/** The paths of this server that the packaged app opens. The native projects name the same paths. */
const openedPaths = ['/pins/*', '/invite/*', '/add']

const hidden = { schema: { hide: true } }
const cacheControl = 'public, max-age=3600'

/**
 * Adds the routes by which Android and iOS learn which app may open links of this server. They answer 404 without
 * settings: a statement about a made-up app would hand the links to anyone who signs with that key. No screen has a
 * path below `/.well-known`.
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
