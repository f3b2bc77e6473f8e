import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'

const dist = fileURLToPath(new URL('../../../../web/dist/', import.meta.url))

/**
 * SHA-256 of an empty text: Emotion appends empty style elements and fills them through the CSSOM, which the policy
 * then allows.
 */
const emptyStyle = `'sha256-${createHash('sha256').update('').digest('base64')}'`

type UnknownRoute = (request: FastifyRequest, reply: FastifyReply) => unknown

interface WebAppSettings extends Pick<Config, 'googleClientId' | 'publicUrl' | 'defaultLanguage'> {
  /** Origins from which the map in the page loads. */
  readonly mapHosts: readonly string[]
}

interface WebAppOptions {
  config: WebAppSettings
  unknown: UnknownRoute
  /** Returns the title and description for the path of a screen, instead of those of the page. */
  getHead: (path: string) => Promise<string>
  /** The folder of the build, with a slash at its end. */
  folder?: string
}

/** Calls of the API are no pages, except the pictures of public pings, which link cards show. */
const robots = `User-agent: *
Allow: /api/pings/
Disallow: /api/
`

/**
 * Serves the built web app: hashed assets are cached forever, everything else is revalidated, and the path of every
 * screen gets `index.html`. Paths below `/api`, files that do not exist and methods other than GET are passed to `unknown`. Without a build only
 * the API is served.
 */
export async function addWebApp(
  app: FastifyInstance,
  { config, unknown, getHead, folder = dist }: WebAppOptions,
): Promise<void> {
  const built = existsSync(`${folder}index.html`)
  const file = built ? await readFile(`${folder}index.html`, 'utf8') : null
  // Its script chooses this language for a browser whose languages Hither does not have.
  const page = file?.replace('<html lang="en">', `<html lang="${config.defaultLanguage}">`) ?? null
  if (page !== null) {
    await app.register(async (scope) => {
      // One page loads dozens of files, and many users behind one address may load it at once.
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
  app.get('/robots.txt', { schema: { hide: true } }, async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(robots),
  )
  const policy = page === null ? '' : contentSecurityPolicy(page, config)
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? ''
    if (page === null || !['GET', 'HEAD'].includes(request.method) || !mayBeScreen(path)) return unknown(request, reply)
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('content-security-policy', policy)
      .send(withHead(page, await getHead(path)))
  })
}

/** The screens whose last part is an id or a code. A link to one works with a dot in it, as after a sentence. */
const screensWithParameter = /^\/(?:chat|invite|pins)\/[^/]+\/?$/

/** Everything but the API and files. The name of a file has a dot, which only the parameter of a screen may have too. */
function mayBeScreen(path: string): boolean {
  // The service worker stores the page under its name.
  if (path === '/index.html') return true
  if (/^\/(?:api|assets)(?:\/|$)/.test(path)) return false
  return screensWithParameter.test(path) || !decodeURIComponent(path).includes('.')
}

function withHead(page: string, head: string): string {
  return page.replace(/<title>[\s\S]*?<\/title>(?:\s*<meta name="description"[^>]*>)?/, () => head)
}

/**
 * The origins that Google's sign-in button loads, calls and frames; from Google's setup guide for its identity
 * services.
 */
const google = {
  script: 'https://accounts.google.com/gsi/client',
  service: 'https://accounts.google.com/gsi/',
  style: 'https://accounts.google.com/gsi/style',
} as const

/**
 * Names only the hosts that the configured map and identity provider need. `page` is the HTML whose inline scripts are
 * allowed.
 */
export function contentSecurityPolicy(page: string, config: WebAppSettings): string {
  const inlineScripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script]) =>
      `'sha256-${createHash('sha256')
        .update(script ?? '')
        .digest('base64')}'`,
  )
  const { mapHosts } = config
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
