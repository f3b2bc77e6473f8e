import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { withPackagedPolicy } from '../../scripts/packaged-policy.ts'

const page = await readFile(new URL('../../web/index.html', import.meta.url), 'utf8')

test('the policy of the packaged app allows only its own scripts', () => {
  const packaged = withPackagedPolicy(page)
  const policy = /<head>\s*<meta http-equiv="Content-Security-Policy" content="([^"]+)">/.exec(packaged)?.[1] ?? ''
  const inline = /<script>([\s\S]*?)<\/script>/.exec(page)?.[1] ?? ''
  const digest = createHash('sha256').update(inline).digest('base64')
  expect(policy).toContain(`default-src 'none'`)
  expect(policy).toContain(`script-src 'self' 'sha256-${digest}';`)
  expect(policy).toContain(`connect-src 'self' https: wss: http://localhost:*`)
  expect(policy).not.toMatch(/unsafe|http:(?!\/\/(?:localhost|127\.0\.0\.1):)/)
})

test('throws for a page without a head element', () => {
  expect(() => withPackagedPolicy('<p>No head</p>')).toThrow('has no head')
})
