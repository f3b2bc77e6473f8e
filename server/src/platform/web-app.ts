import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { type Config } from '../config.ts'
import { mapSources } from '../maps/map-sources.ts'

const dist = fileURLToPath(new URL('../../../web/dist/', import.meta.url))

/** SHA-256 of nothing: Emotion appends empty style elements and fills them through the CSSOM, which the policy then allows. */
const emptyStyle = `'sha256-${createHash('sha256').update('').digest('base64')}'`

type UnknownRoute = (request: FastifyRequest, reply: FastifyReply) => unknown

export interface WebAppOptions {
  config: Config
  unknown: UnknownRoute
  /** What stands at a screen's path in place of the page's own title and description. */
  getHead: (path: string) => Promise<string>
  /** Where the build is, with a slash at its end. */
  folder?: string
}

/**
 * Serves the built web app: hashed assets for ever, everything else revalidated, `index.html` for every address that is a
 * screen. Below `/api`, and for anything but GET, `unknown` answers. Without a build only the API is there.
 */
export async function addWebApp(
  app: FastifyInstance,
  { config, unknown, getHead, folder = dist }: WebAppOptions,
): Promise<void> {
  const built = existsSync(`${folder}index.html`)
  const page = built ? await readFile(`${folder}index.html`, 'utf8') : null
  if (page !== null) {
    await app.register(async (scope) => {
      // One page loads dozens of files, and people behind one address load the page at once.
      scope.addHook('onRoute', (route) => {
        route.config = { ...route.config, isCounted: true }
      })
      await scope.register(fastifyStatic, {
        root: folder,
        index: false,
        preCompressed: true,
        wildcard: false,
        cacheControl: false,
        globIgnore: ['**/index.html*', '**/*.br', '**/*.gz'],
        setHeaders: (reply, path) => {
          const hashed = path.includes('/assets/')
          reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
        },
      })
    })
  }
  const policy = page === null ? '' : contentSecurityPolicy(page, config)
  app.setNotFoundHandler(async (request, reply) => {
    const isScreen =
      ['GET', 'HEAD'].includes(request.method) &&
      !/^\/api(\/|\?|$)/.test(request.url) &&
      !/^\/assets\//.test(request.url)
    if (page === null || !isScreen) return unknown(request, reply)
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('content-security-policy', policy)
      .send(withHead(page, await getHead(request.url.split('?', 1)[0] ?? '')))
  })
}

function withHead(page: string, head: string): string {
  return page.replace(/<title>[\s\S]*?<\/title>(?:\s*<meta name="description"[^>]*>)?/, () => head)
}

/** What Google's sign-in button loads, calls and frames; from Google's setup guide for its identity services. */
const google = {
  script: 'https://accounts.google.com/gsi/client',
  service: 'https://accounts.google.com/gsi/',
  style: 'https://accounts.google.com/gsi/style',
} as const

/** Names every host that the configured map and identity provider need, and no other. `page`: for its inline scripts. */
export function contentSecurityPolicy(
  page: string,
  config: Pick<Config, 'map' | 'googleClientId' | 'publicUrl'>,
): string {
  const inlineScripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script]) =>
      `'sha256-${createHash('sha256')
        .update(script ?? '')
        .digest('base64')}'`,
  )
  const mapHosts = mapSources(config.map).hosts
  const secure = config.publicUrl.startsWith('https:')
  const hasGoogle = config.googleClientId !== null
  return [
    `default-src 'none'`,
    sources('script-src', ...inlineScripts, hasGoogle && google.script),
    sources('style-src', emptyStyle, hasGoogle && google.style),
    sources('img-src', 'data:', 'blob:', ...mapHosts),
    `font-src 'self'`,
    sources('connect-src', ...mapHosts, hasGoogle && google.service),
    ...(hasGoogle ? [`frame-src ${google.service}`] : []),
    `worker-src 'self'`,
    `manifest-src 'self'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
    ...(secure ? ['upgrade-insecure-requests'] : []),
  ].join('; ')
}

function sources(directive: string, ...others: (string | false)[]): string {
  return [directive, `'self'`, ...others.filter((source) => source !== false)].join(' ')
}
