import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { contentSecurityPolicy } from './web-app.ts'

const page = '<script>paint()</script>'

test('a map that stays at home lets the page load from nowhere but its own origin, and run no script but its own and the one inside it', () => {
  const policy = contentSecurityPolicy(page, readConfig({ MAP_ONLINE: 'off' }))
  expect(policy).toContain("default-src 'none'")
  expect(policy).toMatch(/script-src 'self' 'sha256-[^']+';/)
  expect(policy).not.toMatch(/https?:/)
  expect(policy).not.toContain('unsafe')
})

test('by default the page may load maps from three hosts, and nothing else from anywhere', () => {
  const policy = contentSecurityPolicy(page, readConfig({}))
  const maps = 'https://tiles.openfreemap.org https://gibs.earthdata.nasa.gov https://basemap.nationalmap.gov'
  expect(policy).toContain(`connect-src 'self' ${maps};`)
  expect(policy.replaceAll(maps, '')).not.toMatch(/https?:/)
})

test('the hosts of a configured map and of Google are named, each where it is needed', () => {
  const policy = contentSecurityPolicy(
    page,
    readConfig({
      MAP_STYLE_URL: 'https://tiles.example.org/style.json',
      MAP_SATELLITE_URL: 'https://tiles.example.org/{z}/{x}/{y}.jpg',
      MAP_HOSTS: 'https://fonts.example.org',
      GOOGLE_CLIENT_ID: 'client',
    }),
  )
  expect(policy).toContain(
    "connect-src 'self' https://tiles.example.org https://fonts.example.org https://accounts.google.com/gsi/",
  )
  expect(policy).toContain("img-src 'self' data: blob: https://tiles.example.org")
  expect(policy).toContain('frame-src https://accounts.google.com/gsi/')
  expect(policy).toMatch(/script-src 'self' 'sha256-[^']+' https:\/\/accounts\.google\.com\/gsi\/client;/)
})
