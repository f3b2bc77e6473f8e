import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { contentSecurityPolicy } from './web-app.ts'

const page = '<script>paint()</script>'

test('by default the page may load from nowhere but its own origin, and run no script but its own and the one inside it', () => {
  const policy = contentSecurityPolicy(page, readConfig({}))
  expect(policy).toContain("default-src 'none'")
  expect(policy).toMatch(/script-src 'self' 'sha256-[^']+';/)
  expect(policy).not.toMatch(/https?:/)
  expect(policy).not.toContain('unsafe')
})

test('the hosts of a configured map and of Google are named, each where it is needed', () => {
  const policy = contentSecurityPolicy(
    page,
    readConfig({ MAP_STYLE_URL: 'https://tiles.example.org/style.json', GOOGLE_CLIENT_ID: 'client' }),
  )
  expect(policy).toContain("connect-src 'self' https://tiles.example.org https://accounts.google.com/gsi/")
  expect(policy).toContain("img-src 'self' data: blob: https://tiles.example.org")
  expect(policy).toContain('frame-src https://accounts.google.com/gsi/')
  expect(policy).toMatch(/script-src 'self' 'sha256-[^']+' https:\/\/accounts\.google\.com\/gsi\/client;/)
})
