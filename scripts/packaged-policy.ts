import { createHash } from 'node:crypto'

/** Emotion appends empty style elements and fills them through the CSSOM. This is the digest of an empty element. */
const emptyStyle = digestOf('')

/** A developer's server on the device itself, the only one that the app contacts without TLS. */
const ownDevice = ['http', 'ws'].flatMap((scheme) => [`${scheme}://localhost:*`, `${scheme}://127.0.0.1:*`]).join(' ')

/**
 * Adds the Content-Security-Policy of the packaged app to its page. The user chooses the server, and the server its map
 * services, so data and pictures may come from any secure host; scripts come only from the app. Throws if the page has no head.
 */
export function withPackagedPolicy(page: string): string {
  const inlineScripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script = '']) => digestOf(script))
  const policy = [
    `default-src 'none'`,
    ['script-src', `'self'`, ...inlineScripts].join(' '),
    `style-src 'self' ${emptyStyle}`,
    `img-src 'self' data: blob: https:`,
    `font-src 'self'`,
    `connect-src 'self' https: wss: ${ownDevice}`,
    `worker-src 'self'`,
    `manifest-src 'self'`,
    `base-uri 'none'`,
    `form-action 'self'`,
  ].join('; ')
  if (!page.includes('<head>')) throw new Error('The page of the web app has no head')
  return page.replace('<head>', () => `<head>\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`)
}

function digestOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
